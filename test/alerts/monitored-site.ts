import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from '../support/built-program.js';
import { freePort } from '../support/free-port.js';
import { describeUnless } from '../support/describe-unless.js';
import { Haproxy, WITHOUT_HAPROXY } from '../support/haproxy.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { normalLoad, type ConstantLoad } from './constant-load.js';
import { Prometheus, WITHOUT_PROMETHEUS } from './prometheus.js';

const KNOWN_WITHIN_MS = 60_000;

/** Long, because all files of these tests share the machine. */
const START_TIMEOUT_MS = 60_000;

/** Two scrapes. A rate needs two samples. */
const FIRST_RATES_MS = 30_000;

/** What these tests need and this machine does not have, in one line. `undefined` if nothing is missing. */
const MISSING = WITHOUT_HAPROXY ?? WITHOUT_PROMETHEUS;

/** `describe`, or `describe.skip` with a line that states the reason. */
export const describeWithPrometheus = describeUnless(MISSING && `Alerts are not tested: ${MISSING}`);

export interface MonitoredSiteOptions {
  /** The environment of every instance: the database and other variables. */
  readonly environment: Readonly<Record<string, string>>;
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

/** Two built instances behind haproxy under a normal load. A Prometheus with the shipped rules monitors them in real time. */
export class MonitoredSite {
  private load: ConstantLoad | undefined;

  private constructor(
    private readonly options: MonitoredSiteOptions,
    private readonly places: readonly Place[],
    private readonly haproxy: Haproxy,
    private monitor: Prometheus,
  ) {}

  /** Resolves when both instances serve requests and Prometheus has scraped them. */
  static async start(options: MonitoredSiteOptions): Promise<MonitoredSite> {
    const places: Place[] = [];
    for (let place = 0; place < 2; place++)
      places.push({ port: await freePort(), metricsPort: await freePort(), instance: undefined });
    const haproxy = await Haproxy.start(places.map(({ port }) => port));
    const prometheus = await Prometheus.start(
      places.map(({ metricsPort }) => metricsPort),
      haproxy.metricsPort,
    );
    const site = new MonitoredSite(options, places, haproxy, prometheus);
    try {
      // The instances start one after the other, because all files of these tests begin at the same time.
      for (const place of places.keys()) await site.startInstance(place);
      await haproxy.untilSees(['UP', 'UP']);
      site.load = normalLoad(site.url);
      await site.untilKnown();
      return site;
    } catch (error) {
      await site.close();
      throw error;
    }
  }

  get prometheus(): Prometheus {
    return this.monitor;
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
      'main',
      {
        NODE_ENV: 'production',
        LOG_LEVEL: 'info',
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        BOOTSTRAP_API_KEY: TEST_API_KEY,
        SHUTDOWN_GRACE_SECONDS: '4',
        ...this.options.environment,
        ...environment,
      },
      [],
      [...nodeOptions],
    );
    this.places[place]!.instance = instance;
    const url = await instance.listening(START_TIMEOUT_MS);
    while ((await fetch(`${url}/health/ready`)).status !== 200) await delay(50);
  }

  signal(place: number, signal: NodeJS.Signals): void {
    this.places[place]!.instance?.signal(signal);
  }

  /** Closes the pipe of the log of an instance. */
  closeLog(place: number): void {
    this.places[place]!.instance?.closeOutput();
  }

  async kill(place: number): Promise<void> {
    await this.places[place]!.instance?.kill('SIGKILL');
  }

  /** Shuts the instance down and starts it again, as a deploy does. */
  async replace(place: number): Promise<void> {
    this.signal(place, 'SIGTERM');
    await this.places[place]!.instance?.ended();
    await this.startInstance(place);
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

  /** Starts Prometheus anew, so that it knows nothing of earlier incidents. Resolves when it knows both instances. */
  async forget(): Promise<void> {
    this.monitor.stop();
    this.monitor = await Prometheus.start(
      this.places.map(({ metricsPort }) => metricsPort),
      this.haproxy.metricsPort,
    );
    await this.untilKnown();
  }

  private async untilKnown(): Promise<void> {
    const deadline = Date.now() + KNOWN_WITHIN_MS;
    const known = `count(up{job="animal-store"} == 1) == ${this.places.length}`;
    while ((await this.prometheus.query(known)).length === 0) {
      if (Date.now() > deadline) throw new Error('Prometheus does not find both instances');
      await delay(200);
    }
    await delay(FIRST_RATES_MS);
  }

  async close(): Promise<void> {
    await this.load?.stop();
    this.haproxy.stop();
    this.prometheus.stop();
    for (const { instance } of this.places) await instance?.kill('SIGKILL');
  }
}
