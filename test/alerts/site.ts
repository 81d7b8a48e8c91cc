import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { BuiltProgram } from '../support/built-server.js';
import { freePort } from '../support/free-port.js';
import { describeUnless } from '../support/describe-unless.js';
import { Haproxy, WITHOUT_HAPROXY } from '../support/haproxy.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { normalLoad, type PacedLoad } from './paced-load.js';
import { Prometheus, WITHOUT_PROMETHEUS } from './prometheus.js';

const RULES = join(import.meta.dirname, '../../deploy/prometheus/alerts.yaml');

const QUIET_WITHIN_MS = 60_000;

/** What these tests need and this machine does not have, in one line. `undefined` if nothing is missing. */
const MISSING = WITHOUT_HAPROXY ?? WITHOUT_PROMETHEUS;

/** `describe`, or `describe.skip` with a line that states the reason. */
export const describeWithPrometheus = describeUnless(MISSING && `Alerts are not tested: ${MISSING}`);

export interface SiteOptions {
  /** The environment of every instance: the database and other variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** A program that runs in place of the service. */
  readonly program?: `/${string}`;
  readonly nodeOptions?: readonly string[];
}

/** The options of Node and of the service for an instance that differs from the others. */
export interface InstanceOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
}

/** A place for an instance. Each place has fixed ports. */
interface Place {
  readonly port: number;
  readonly metricsPort: number;
  instance: BuiltProgram | undefined;
}

/** Two built instances behind haproxy under a normal load. A Prometheus with the shipped rules in fast motion monitors them. */
export class Site {
  private load: PacedLoad | undefined;

  private constructor(
    private readonly options: SiteOptions,
    private readonly places: readonly Place[],
    private readonly haproxy: Haproxy,
    readonly prometheus: Prometheus,
  ) {}

  /** Resolves when both instances serve requests and Prometheus has scraped them. */
  static async start(options: SiteOptions): Promise<Site> {
    const places: Place[] = [];
    for (let place = 0; place < 2; place++)
      places.push({ port: await freePort(), metricsPort: await freePort(), instance: undefined });
    const haproxy = await Haproxy.start(places.map(({ port }) => port));
    const prometheus = await Prometheus.start(
      inFastMotion(readFileSync(RULES, 'utf8')),
      places.map(({ metricsPort }) => metricsPort),
    );
    const site = new Site(options, places, haproxy, prometheus);
    try {
      // The instances start one after the other, because all files of these tests begin at the same time.
      for (const place of places.keys()) await site.startInstance(place);
      await haproxy.untilSees(['UP', 'UP']);
      site.load = normalLoad(site.url);
      await site.untilQuiet();
      return site;
    } catch (error) {
      await site.close();
      throw error;
    }
  }

  /** The address for clients: haproxy. */
  get url(): string {
    return this.haproxy.url;
  }

  /** The address of one instance. */
  urlOf(place: number): string {
    return `http://127.0.0.1:${this.places[place]!.port}`;
  }

  /** Resolves when the instance is ready. */
  async startInstance(place: number, { environment = {}, nodeOptions = [] }: InstanceOptions = {}): Promise<void> {
    const { port, metricsPort } = this.places[place]!;
    const instance = new BuiltProgram(
      this.options.program ?? 'main',
      {
        NODE_ENV: 'production',
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        BOOTSTRAP_API_KEY: TEST_API_KEY,
        SHUTDOWN_DELAY_SECONDS: '0',
        ...this.options.environment,
        ...environment,
      },
      [],
      [...(this.options.nodeOptions ?? []), ...nodeOptions],
    );
    this.places[place]!.instance = instance;
    const url = await instance.listening();
    while ((await fetch(`${url}/health/ready`)).status !== 200) await delay(50);
  }

  signal(place: number, signal: NodeJS.Signals): void {
    this.places[place]!.instance?.signal(signal);
  }

  async kill(place: number): Promise<void> {
    await this.places[place]!.instance?.kill('SIGKILL');
  }

  /** Kills the instance and starts it again. */
  async restart(place: number, options?: InstanceOptions): Promise<void> {
    await this.kill(place);
    await this.startInstance(place, options);
  }

  /** Sets whether the service discovery names the instances. */
  discover(isThere: boolean): void {
    this.prometheus.setTargets(isThere ? this.places.map(({ metricsPort }) => metricsPort) : []);
  }

  /**
   * Waits until both instances are known, and no alert is pending or firing.
   *
   * @throws Error with the alerts that remain after a minute
   */
  async untilQuiet(): Promise<void> {
    const deadline = Date.now() + QUIET_WITHIN_MS;
    const known = `count(up{job="animal-store"} == 1) == ${this.places.length}`;
    while ((await this.prometheus.query(`(${known}) unless on () ALERTS`)).length === 0) {
      if (Date.now() > deadline) {
        const alerts = await this.prometheus.query('group by (alertname) (ALERTS)');
        throw new Error(`It does not become quiet: ${alerts.map(({ metric }) => metric['alertname']).join(', ')}`);
      }
      await delay(200);
    }
  }

  async close(): Promise<void> {
    await this.load?.stop();
    this.haproxy.stop();
    this.prometheus.stop();
    for (const { instance } of this.places) await instance?.kill('SIGKILL');
  }
}

interface Rule {
  expr: string;
  for?: string;
}

/**
 * The length of each unit of duration in the test, in seconds. Hours and days are divided by larger numbers than minutes,
 * because the tests cannot wait that long. A number of seconds (`90 * 86400`) is not a duration of Prometheus: it stays
 * unchanged.
 */
const LASTS: Readonly<Record<string, number>> = { m: 2, h: 10, d: 20 };

const DURATION = /(?<![\w.])(?<count>[0-9]+)(?<unit>[mhd])(?!\w)/g;

/**
 * The shipped rules in fast motion. In `for`, and in ranges and offsets of expressions, a minute lasts 2 seconds (1/30), an
 * hour 10 seconds and a day 20 seconds. Thresholds and labels are not changed.
 *
 * @param rules the text of the file
 */
function inFastMotion(rules: string): string {
  const file = parse(rules) as { groups: { rules: Rule[] }[] };
  for (const rule of file.groups.flatMap((group) => group.rules)) {
    rule.expr = shortened(rule.expr);
    if (rule.for !== undefined) rule.for = shortened(rule.for);
  }
  return stringify(file);
}

function shortened(text: string): string {
  return text.replace(DURATION, (_, count: string, unit: string) => `${Number(count) * LASTS[unit]!}s`);
}
