import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from '../support/built-server.js';
import { DATABASES, type TestDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { allPets } from '../support/pages.js';
import { clientOf, TEST_API_KEY } from '../support/running-app.js';
import { printFigures } from '../support/figures.js';

const CREATIONS = 1_000;
/** The number of concurrent creations. */
const CLIENTS = 20;
const KILLS = 5;
/** The wait of a client before a retry, in milliseconds. */
const RETRY_MS = 25;

const TIMEOUT_MS = 300_000;

const AUTHORIZATION = { authorization: `Bearer ${TEST_API_KEY}` };

/** A server that can be killed and started again on the same port. */
class RestartedServer {
  private program: BuiltProgram;

  private constructor(
    private readonly database: TestDatabase,
    private readonly port: number,
  ) {
    this.program = this.start();
  }

  static async start(database: TestDatabase): Promise<RestartedServer> {
    const server = new RestartedServer(database, await freePort());
    await server.program.listening();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async killAndStart(): Promise<void> {
    await this.kill();
    this.program = this.start();
    await this.program.listening();
  }

  async kill(): Promise<void> {
    await this.program.kill('SIGKILL');
  }

  private start(): BuiltProgram {
    const variables = { PORT: String(this.port), BOOTSTRAP_API_KEY: TEST_API_KEY };
    return new BuiltProgram('main', { ...this.database.environment, ...variables });
  }
}

/** The observations of the clients. */
interface Tally {
  /** The number of sent requests without their retries. */
  sends: number;
  /** The number of creations whose requests all got a 201. */
  done: number;
  /** The number of retries after no response or a 503. */
  retries: number;
  /** The number of responses that were marked as replayed. */
  replays: number;
}

/** Sends createPet until the response is 201. @returns the body of that response */
async function addUntilCreated(url: string, name: string, tally: Tally): Promise<string> {
  for (;;) {
    try {
      const answer = await fetch(`${url}/v1/pets`, {
        method: 'POST',
        headers: { ...AUTHORIZATION, 'content-type': 'application/json', 'idempotency-key': name },
        body: JSON.stringify({ name, categoryId: 7 }),
      });
      const text = await answer.text();
      if (answer.status === 201) {
        if (answer.headers.get('idempotent-replayed') === 'true') tally.replays += 1;
        return text;
      }
      if (answer.status !== 503) return `${answer.status} ${text}`;
    } catch {
      // There was no response or only a part of it. The client does not know whether the pet was added.
    }
    tally.retries += 1;
    await delay(RETRY_MS);
  }
}

/** Takes creations from the list until it is empty. @returns the response bodies of each creation */
async function work(url: string, names: string[], tally: Tally): Promise<Map<string, Set<string>>> {
  const answers = new Map<string, Set<string>>();
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const creation = name;
    const times = 1 + (Number(creation) % 5);
    tally.sends += times;
    const bodies = await Promise.all(Array.from({ length: times }, () => addUntilCreated(url, creation, tally)));
    answers.set(creation, new Set(bodies));
    tally.done += 1;
  }
  return answers;
}

test.each(DATABASES)(
  'of 1000 creations, each sent up to 5 times at once while the server is killed 5 times, come 1000 pets on $name',
  async ({ create }) => {
    const database = await create();
    const server = await RestartedServer.start(database);
    const tally: Tally = { sends: 0, done: 0, retries: 0, replays: 0 };
    const names = Array.from({ length: CREATIONS }, (_, index) => String(index));
    const began = performance.now();

    const clients = Promise.all(Array.from({ length: CLIENTS }, () => work(server.url, names, tally)));
    for (let kill = 1; kill <= KILLS; kill++) {
      while (tally.done < (kill * CREATIONS) / (KILLS + 1)) await delay(1);
      await server.killAndStart();
    }
    const answers = new Map((await clients).flatMap((part) => [...part]));
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const stored = (await allPets(clientOf(server.url))).map((pet) => JSON.stringify(pet));
    await server.kill();
    await database.remove();

    console.log(
      `${CREATIONS} creations in ${tally.sends} sends, ${KILLS} kills, ${tally.retries} sends repeated, ` +
        `${tally.replays} answers replayed: ${stored.length} pets, ${seconds} s`,
    );
    expect(stored).toHaveLength(CREATIONS);
    // Every request of a creation was answered with the pet of this creation, and the pet is stored.
    expect([...answers.values()].map((bodies) => [...bodies]).sort()).toEqual(stored.map((pet) => [pet]).sort());
    expect(tally.retries).toBeGreaterThan(0);
    expect(tally.replays).toBeGreaterThanOrEqual(tally.sends - CREATIONS);
    printFigures(
      'A creation that is sent again with its Idempotency-Key adds one pet, whatever goes wrong in between',
      { sends: tally.sends, 'sent again': tally.retries, kills: KILLS, pets: stored.length, doubled: 0 },
    );
  },
  TIMEOUT_MS,
);
