import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from './built-program.js';
import { freePort } from './free-port.js';
import { Haproxy, WITHOUT_HAPROXY } from './haproxy.js';
import { TEST_API_KEY } from './running-app.js';

/** Two instances serve. The third place is for the instance that a deploy starts. */
const PLACES = 3;
const READY_TIMEOUT_MS = 60_000;

type Program = ConstructorParameters<typeof BuiltProgram>[0];

/** A place for an instance. Every instance in the place uses the same port. */
interface Place {
  readonly index: number;
  readonly port: number;
  instance: BuiltProgram | undefined;
}

interface FleetOptions {
  /** The environment of every instance: the database and other variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** More variables of the instances in a place. */
  readonly environmentOf?: (place: number) => Readonly<Record<string, string>>;
  /** The program that serves at first. */
  readonly program?: Program;
}

/** Two built instances behind haproxy. Without haproxy, clients choose between the two instances. */
export class Fleet {
  private constructor(
    private readonly options: FleetOptions,
    private readonly places: readonly Place[],
    private readonly haproxy: Haproxy | undefined,
  ) {}

  static async start(options: FleetOptions): Promise<Fleet> {
    const places: Place[] = [];
    for (let index = 0; index < PLACES; index++) places.push({ index, port: await freePort(), instance: undefined });
    const haproxy = WITHOUT_HAPROXY === undefined ? await Haproxy.start(places.map(({ port }) => port)) : undefined;
    const fleet = new Fleet(options, places, haproxy);
    await Promise.all(places.slice(0, 2).map((place) => fleet.fillPlace(place, options.program)));
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

  /** The places of the serving instances. */
  get serving(): Place[] {
    return this.places.filter(({ instance }) => instance !== undefined);
  }

  /** Kills an instance, and starts another one in its place. */
  async kill(which: number): Promise<void> {
    const place = this.serving[which]!;
    const killed = place.instance!;
    place.instance = undefined;
    await killed.kill('SIGKILL');
    await this.fillPlace(place);
    await this.untilBalanced();
  }

  /** Starts a new instance. As soon as the new instance serves, shuts an old one down. @returns the exit code of the old one */
  async deploy(which: number, program?: Program): Promise<number | NodeJS.Signals | null> {
    const old = this.serving[which]!;
    await this.fillPlace(
      this.places.find(({ instance }) => instance === undefined)!,
      program,
    );
    await this.untilBalanced();
    const ended = old.instance!;
    old.instance = undefined;
    ended.signal('SIGTERM');
    const code = await ended.ended();
    await this.untilBalanced();
    return code;
  }

  async stop(): Promise<void> {
    await Promise.all(this.serving.map(({ instance }) => instance!.kill('SIGKILL')));
    this.haproxy?.stop();
  }

  /** Starts an instance in the place. Clients reach the instance when it is ready. */
  private async fillPlace(place: Place, program: Program = 'main'): Promise<void> {
    const instance = new BuiltProgram(program, {
      NODE_ENV: 'production',
      BOOTSTRAP_API_KEY: TEST_API_KEY,
      LOG_LEVEL: 'error',
      SHUTDOWN_GRACE_SECONDS: '10',
      ...this.options.environment,
      ...this.options.environmentOf?.(place.index),
      PORT: String(place.port),
    });
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

/** Resolves with the URL of a program as soon as the program is ready. */
export async function untilReady(program: BuiltProgram): Promise<string> {
  const url = await program.listening(READY_TIMEOUT_MS);
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!(await isReady(url))) {
    if (performance.now() > deadline) throw new Error(`It was not ready within a minute: ${program.printed}`);
    await delay(50);
  }
  return url;
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
  return answer?.status === 200;
}
