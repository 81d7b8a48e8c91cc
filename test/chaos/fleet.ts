import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from '../support/built-server.js';
import { freePort } from '../support/free-port.js';
import { Haproxy, WITHOUT_HAPROXY } from '../support/haproxy.js';
import { TEST_API_KEY } from '../support/running-app.js';
import type { ProcessFaults } from './process-faults.js';

/** Two instances serve. The third place is for the instance that a deploy starts. */
const PLACES = 3;
const READY_TIMEOUT_MS = 60_000;

/** A place for an instance. Every instance in the place uses the same port. */
interface Place {
  readonly port: number;
  readonly faults: ProcessFaults;
  instance: BuiltProgram | undefined;
}

/** Two built instances behind haproxy. Without haproxy, clients choose between the two instances. */
export class Fleet {
  private constructor(
    private readonly variables: Readonly<Record<string, string>>,
    private readonly places: readonly Place[],
    private readonly haproxy: Haproxy | undefined,
  ) {}

  /** @param faultsOf returns the faults of a place, by the number of the place */
  static async start(databaseUrl: string, faultsOf: (place: number) => ProcessFaults): Promise<Fleet> {
    const places: Place[] = [];
    for (let number = 0; number < PLACES; number++) {
      places.push({ port: await freePort(), faults: faultsOf(number), instance: undefined });
    }
    const ports = places.map(({ port }) => port);
    const variables = {
      NODE_ENV: 'production',
      BOOTSTRAP_API_KEY: TEST_API_KEY,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'error',
      SHUTDOWN_DELAY_SECONDS: '2',
    };
    const haproxy = WITHOUT_HAPROXY === undefined ? await Haproxy.start(ports) : undefined;
    const fleet = new Fleet(variables, places, haproxy);
    await Promise.all(places.slice(0, 2).map((place) => fleet.fillPlace(place)));
    await fleet.untilBalanced();
    return fleet;
  }

  /** The URL of the next request. */
  target(choose: <Item>(items: readonly Item[]) => Item): string {
    return this.haproxy?.url ?? choose(this.urls);
  }

  /** The URLs of the serving instances, without the balancer. */
  get urls(): string[] {
    return this.serving.map(({ port }) => `http://127.0.0.1:${port}`);
  }

  get serving(): Place[] {
    return this.places.filter(({ instance }) => instance !== undefined);
  }

  /** The faults of the serving instances, with their clocks. */
  get faults(): ProcessFaults[] {
    return this.serving.map(({ faults }) => faults);
  }

  /** Kills an instance, and starts another one in its place. @returns the time of the kill, as `performance.now()` */
  async kill(which: number): Promise<number> {
    const place = this.serving[which]!;
    const killed = place.instance!;
    place.instance = undefined;
    const killedAt = performance.now();
    await killed.kill('SIGKILL');
    await this.fillPlace(place);
    await this.untilBalanced();
    return killedAt;
  }

  /** Starts a new instance. As soon as the new instance serves, shuts an old one down. @returns the exit code of the old one */
  async deploy(which: number): Promise<number | NodeJS.Signals | null> {
    const old = this.serving[which]!;
    await this.fillPlace(this.places.find(({ instance }) => instance === undefined)!);
    await this.untilBalanced();
    const ended = old.instance!;
    old.instance = undefined;
    ended.signal('SIGTERM');
    const code = await ended.exitCode();
    await this.untilBalanced();
    return code;
  }

  async stop(): Promise<void> {
    await Promise.all(this.serving.map(({ instance }) => instance!.kill('SIGKILL')));
    this.haproxy?.stop();
  }

  /** Starts an instance in the place. Clients reach the instance when it is ready. */
  private async fillPlace(place: Place): Promise<void> {
    const variables = { ...this.variables, ...place.faults.environment, PORT: String(place.port) };
    const instance = new BuiltProgram('main', variables);
    try {
      await untilReady(instance);
      place.instance = instance;
    } catch (error) {
      // The place stays free for the next instance.
      await instance.kill('SIGKILL');
      throw error;
    }
  }

  private async untilBalanced(): Promise<void> {
    await this.haproxy?.untilSees(this.places.map(({ instance }) => (instance === undefined ? 'DOWN' : 'UP')));
  }
}

async function untilReady(instance: BuiltProgram): Promise<void> {
  const url = await instance.listening(READY_TIMEOUT_MS);
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!(await isReady(url))) {
    if (performance.now() > deadline) throw new Error(`It was not ready within a minute: ${instance.printed}`);
    await delay(50);
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
  return answer?.status === 200;
}
