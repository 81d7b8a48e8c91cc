import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.js';

const PROGRAM = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'].find((path) =>
  existsSync(path),
);

/** The message for tests that need haproxy if haproxy is missing; otherwise `undefined`. */
export const WITHOUT_HAPROXY =
  PROGRAM === undefined ? 'haproxy is not installed. On Debian: apt-get install haproxy' : undefined;

const CHECK_MS = 200;
const SEEN_WITHIN_MS = 30_000;

/** A real haproxy in front of several ports; haproxy asks the instance on each port whether it is ready. */
export class Haproxy {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    /** The address to which clients send their requests. */
    readonly url: string,
    private readonly statsUrl: string,
    /** The port on which haproxy serves its metrics for Prometheus. */
    readonly metricsPort: number,
  ) {}

  /** @param places the ports of this machine on which instances may listen */
  static async start(places: readonly number[]): Promise<Haproxy> {
    const [port, statsPort] = [await freePort(), await freePort()];
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, configuration(port, statsPort, places));
    const child = spawn(PROGRAM!, ['-db', '-f', file], { stdio: 'ignore' });
    await once(child, 'spawn');
    return new Haproxy(child, folder, `http://127.0.0.1:${port}`, `http://127.0.0.1:${statsPort}/;csv`, statsPort);
  }

  /** Waits until haproxy has these states for the ports, `UP` or `DOWN`. */
  async untilSees(states: readonly string[]): Promise<void> {
    const deadline = Date.now() + SEEN_WITHIN_MS;
    let seen: (string | undefined)[];
    do {
      await delay(CHECK_MS);
      const lines = await fetch(this.statsUrl).then(
        (answer) => answer.text(),
        () => '',
      );
      seen = lines
        .split('\n')
        .filter((line) => line.startsWith('animal_store,place'))
        .map((line) => line.split(',')[17]);
      if (seen.join() === states.join()) return;
    } while (Date.now() < deadline);
    throw new Error(`haproxy found the places ${seen.join()}, and not ${states.join()}`);
  }

  stop(): void {
    this.process.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function configuration(port: number, statsPort: number, places: readonly number[]): string {
  return `
global
  maxconn 1000
defaults
  mode http
  option redispatch
  timeout connect 1s
  timeout client 60s
  timeout http-keep-alive 60s
  timeout server 30s
  timeout check 2s
frontend clients
  bind 127.0.0.1:${port}
  default_backend animal_store
backend animal_store
  option httpchk GET /health/ready
  default-server check inter ${CHECK_MS}ms fall 2 rise 1
${places.map((place, index) => `  server place${index} 127.0.0.1:${place}`).join('\n')}
frontend stats
  bind 127.0.0.1:${statsPort}
  http-request use-service prometheus-exporter if { path /metrics }
  stats enable
  stats uri /
`;
}
