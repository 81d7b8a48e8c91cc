import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { freePort } from '../support/free-port.js';

const PROGRAM = ['/usr/bin/prometheus', '/usr/local/bin/prometheus', '/opt/homebrew/bin/prometheus'].find((path) =>
  existsSync(path),
);

/** The message for a test that needs Prometheus if Prometheus is not installed. Otherwise `undefined`. */
export const WITHOUT_PROMETHEUS =
  PROGRAM === undefined
    ? 'Prometheus is not installed. On Debian: apt-get install --no-install-recommends prometheus'
    : undefined;

const START_TIMEOUT_MS = 30_000;

const SHIPPED = join(import.meta.dirname, '../../deploy/prometheus');

/** One time series in the response to a query. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

/** An alert that fired in a period: since when and until when, in seconds since 1970. */
export interface Firing {
  readonly alert: string;
  readonly severity: string;
  readonly from: number;
  readonly until: number;
}

interface Answer<Data> {
  readonly status: string;
  readonly error?: string;
  readonly data: Data;
}

/** A real Prometheus with the shipped configuration and rules, in its own folder. */
export class Prometheus {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    readonly url: string,
    readonly version: string,
  ) {}

  /**
   * @param targets ports of this machine on which instances serve metrics
   * @param balancer the port on which haproxy serves its own
   */
  static async start(targets: readonly number[], balancer: number): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
    const url = `http://127.0.0.1:${await freePort()}`;
    const configuration = parse(readFileSync(join(SHIPPED, 'prometheus.yaml'), 'utf8')) as {
      rule_files: string[];
      scrape_configs: Record<string, unknown>[];
    };
    const [job] = configuration.scrape_configs;
    delete job!['static_configs'];
    job!['file_sd_configs'] = [{ files: ['targets.json'], refresh_interval: '1s' }];
    configuration.rule_files.push('machines.yaml');
    const haproxy = { targets: [`127.0.0.1:${balancer}`] };
    configuration.scrape_configs.push({ job_name: 'haproxy', scrape_interval: '15s', static_configs: [haproxy] });
    writeFileSync(join(folder, 'prometheus.yaml'), stringify(configuration));
    for (const file of ['alerts.yaml', 'machines.yaml']) copyFileSync(join(SHIPPED, file), join(folder, file));
    writeFileSync(join(folder, 'targets.json'), targetGroups(targets));
    const settings = {
      'config.file': join(folder, 'prometheus.yaml'),
      'storage.tsdb.path': join(folder, 'data'),
      'web.listen-address': new URL(url).host,
      'log.level': 'warn',
    };
    const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
    const child = spawn(PROGRAM!, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await isReady(url))) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`Prometheus did not start: ${complaint}`);
      await delay(100);
    }
    const built = (await (await fetch(`${url}/api/v1/status/buildinfo`)).json()) as Answer<{ version: string }>;
    return new Prometheus(child, folder, url, built.data.version);
  }

  /** Sets the targets of the service discovery. Prometheus notices the change within about a second. */
  setTargets(targets: readonly number[]): void {
    // The file is renamed so that Prometheus never reads an incomplete file.
    writeFileSync(join(this.folder, 'targets.new'), targetGroups(targets));
    renameSync(join(this.folder, 'targets.new'), join(this.folder, 'targets.json'));
  }

  /** The names of the firing alerts, without duplicates, in alphabetical order. */
  async firing(): Promise<string[]> {
    const samples = await this.query('group by (alertname) (ALERTS{alertstate="firing"})');
    return samples.map(({ metric }) => metric['alertname']!).sort();
  }

  /** The alerts that fired at any time between these two times, in milliseconds since 1970. */
  async firedBetween(from: number, to: number): Promise<Firing[]> {
    const { result } = await this.ask<{
      result: { metric: { alertname: string; severity: string }; values: [number, string][] }[];
    }>('query_range', {
      query: 'group by (alertname, severity) (ALERTS{alertstate="firing"})',
      start: String(from / 1000),
      end: String(to / 1000),
      step: '1',
    });
    return result.map(({ metric, values }) => ({
      alert: metric.alertname,
      severity: metric.severity,
      from: values[0]![0],
      until: values.at(-1)![0],
    }));
  }

  /** The current value of an expression. */
  async query(query: string): Promise<Sample[]> {
    const { result } = await this.ask<{ result: { metric: Sample['metric']; value: [number, string] }[] }>('query', {
      query,
    });
    return result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }));
  }

  stop(): void {
    this.process.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  private async ask<Data>(what: 'query' | 'query_range', parameters: Record<string, string>): Promise<Data> {
    const answer = await fetch(`${this.url}/api/v1/${what}`, {
      method: 'POST',
      body: new URLSearchParams(parameters),
    });
    const { status, error, data } = (await answer.json()) as Answer<Data>;
    if (status !== 'success') throw new Error(`${parameters['query']}: ${error}`);
    return data;
  }
}

async function isReady(url: string): Promise<boolean> {
  return await fetch(`${url}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function targetGroups(ports: readonly number[]): string {
  return JSON.stringify([{ targets: ports.map((port) => `127.0.0.1:${port}`) }]);
}
