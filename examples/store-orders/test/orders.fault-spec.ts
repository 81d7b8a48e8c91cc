import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  BuiltProgram,
  clientOf,
  freePort,
  loseConnections,
  nextPage,
  TEST_API_KEY,
  withClient,
  type Client,
  type TestDatabase,
} from '@animal-store/testing';
import { addPet, createOrdersDatabase, orderBody, place, type OrderOnWire } from './support.js';

const PROGRAM = join(import.meta.dirname, '../../../dist/examples/store-orders/src/main.js') as `/${string}`;

const PETS = 600;
/** How many orders are sent for each pet. Each order has its own idempotency key. */
const WANTED_BY = 2;
const CLIENTS = 64;
const KILLS = 5;
/** How long a client waits before it retries, in milliseconds. */
const RETRY_MS = 25;
/** How long a client retries, in milliseconds. A server that fails for this long no longer works. */
const PATIENCE_MS = 60_000;

/** The server of the example. It can be killed and started again on the same port. */
class ExampleServer {
  private program: BuiltProgram | undefined;

  constructor(
    private readonly database: TestDatabase,
    private readonly port: number,
  ) {}

  get client(): Client {
    return clientOf(`http://127.0.0.1:${this.port}`);
  }

  async start(): Promise<void> {
    this.program = new BuiltProgram(PROGRAM, {
      ...this.database.environment,
      PORT: String(this.port),
      BOOTSTRAP_API_KEY: TEST_API_KEY,
    });
    await this.program.listening();
  }

  async kill(): Promise<void> {
    await this.program?.kill('SIGKILL');
  }
}

/** The counts of the responses that the clients got. */
class Tally {
  /** The orders of the responses, by idempotency key. */
  readonly placed = new Map<string, OrderOnWire>();
  refused = 0;
  readonly others: string[] = [];

  get done(): number {
    return this.placed.size + this.refused + this.others.length;
  }
}

/** Sends placeOrder until the result of the order is known. */
async function placeUntilKnown(client: Client, key: string, petId: number, tally: Tally): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < PATIENCE_MS) {
    try {
      const answer = await place(client, orderBody(petId), key);
      const body = (await answer.json()) as OrderOnWire & { code?: string };
      if (answer.status === 201) tally.placed.set(key, body);
      else if (body.code === 'pet_not_available') tally.refused += 1;
      else if (answer.status !== 503) tally.others.push(`${answer.status} ${JSON.stringify(body)}`);
      if (answer.status !== 503) return;
    } catch {
      // There was no complete response: the client does not know whether the order was placed.
    }
    await delay(RETRY_MS);
  }
  tally.others.push(`${key}: nothing for ${PATIENCE_MS} ms`);
}

/** All items of a list, read page by page. */
async function all<Item>(client: Client, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Response = await client.request(next);
    items.push(...((await answer.json()) as Item[]));
    next = nextPage(answer);
  }
  return items;
}

/** Runs `during` while 64 clients place orders, two for each pet, and expects that each pet has one order at the end. */
async function expectOneOrderEach(
  database: TestDatabase,
  during: (server: ExampleServer, tally: Tally) => Promise<void>,
): Promise<void> {
  const server = new ExampleServer(database, await freePort());
  await server.start();
  const { client } = server;
  const petIds: number[] = [];
  while (petIds.length < PETS) petIds.push(...(await Promise.all(Array.from({ length: 50 }, () => addPet(client)))));
  const wishes = Array.from({ length: WANTED_BY }, (_, who) =>
    petIds.map((petId) => ({ petId, key: `${who}-${petId}` })),
  ).flat();
  // The orders for the same pet are sent shortly after each other.
  wishes.sort((one, other) => one.petId - other.petId);
  const tally = new Tally();
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (let wish = wishes.shift(); wish !== undefined; wish = wishes.shift())
      await placeUntilKnown(client, wish.key, wish.petId, tally);
  });
  await during(server, tally);
  await Promise.all(clients);

  const orders = await all<OrderOnWire>(client, '/v1/store/orders?limit=100');
  const pets = await all<{ id: number; status: string }>(client, '/v1/pets?limit=100');
  await server.kill();
  const claimed = pets.filter(({ status }) => status === 'pending').map(({ id }) => id);
  const ascending = (one: number, other: number) => one - other;
  expect(tally.others).toEqual([]);
  // Each pet has exactly one order, and no order is lost.
  expect(orders.map(({ petId }) => petId).sort(ascending)).toEqual(petIds.sort(ascending));
  expect(claimed.sort(ascending)).toEqual(petIds);
  const stored = new Map(orders.map((order) => [order.id, order]));
  expect([...tally.placed.values()].filter(({ id, petId }) => stored.get(id)?.petId !== petId)).toEqual([]);
  expect(tally.placed.size).toBe(PETS);
}

test(`kill -9 of the server in the middle of ${CLIENTS} clients leaves one order for each pet`, async () => {
  const database = await createOrdersDatabase();
  await expectOneOrderEach(database, async (server, tally) => {
    for (let kill = 1; kill <= KILLS; kill++) {
      while (tally.done < (kill * PETS * WANTED_BY) / (KILLS + 1)) await delay(1);
      await server.kill();
      await server.start();
    }
  });
  await database.remove();
}, 300_000);

test('lost connections and deadlocks leave one order for each pet', async () => {
  const database = await createOrdersDatabase();
  await expectOneOrderEach(database, async (_server, tally) => {
    while (tally.done < (PETS * WANTED_BY * 3) / 4) {
      await loseConnections(database.url);
      await delay(100);
      await withClient(database.url, async (client) => {
        // This transaction locks the table that placeOrder locks last, then waits for the rows that placeOrder locks first.
        // PostgreSQL aborts the transaction that has waited for 1 s, which is the transaction of placeOrder.
        await client.query(
          `begin; set local deadlock_timeout = '10s'; lock table store_orders in share row exclusive mode`,
        );
        await delay(200);
        await client.query('select id from pets order by id for update').catch(() => undefined);
        await client.query('rollback');
      });
      await delay(100);
    }
    const { rows } = await withClient(database.url, (client) =>
      client.query<{ deadlocks: string }>('select deadlocks from pg_stat_database where datname = current_database()'),
    );
    const deadlocks = Number(rows[0]?.deadlocks);
    expect(deadlocks).toBeGreaterThan(0);
  });
  await database.remove();
}, 300_000);
