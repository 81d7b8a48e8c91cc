import { nextPage } from './page-links.js';
import { RawConnection, requestBytes, type RawResponse } from './raw-http.js';
import { TEST_API_KEY, type RunningApp } from './running-app.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;
const STATUSES = ['available', 'pending', 'sold'] as const;

/** The upper bounds of the check; the check ends at the first miss. */
export interface Effort {
  /** How many clients list and fetch pets all the time. */
  readonly readers: number;
  /** How many clients create pets and look for each created pet at once. */
  readonly writers: number;
  /** How many pets all writers create together. */
  readonly rounds: number;
}

export interface Outcome {
  /** How many pets were created and looked for. */
  readonly rounds: number;
  /** How many responses were read, including those of the writers. */
  readonly reads: number;
  /** The first read that did not show a pet although the pet was acknowledged before the read was sent. */
  readonly miss: string | undefined;
}

/** The end of a list: its last pets, which all clients read. */
class Tail {
  /** The path of the last page, and the last id before that page. */
  start: { readonly path: string; readonly after: number };
  /** The highest acknowledged id in the list. */
  acknowledged = 0;

  constructor(path: string) {
    this.start = { path, after: 0 };
  }
}

/**
 * Checks whether the service, on one or several instances, is linearizable for its clients: every read that is sent
 * after a 201 was received must show the created pet, on every connection, by its id and in the lists. Readers
 * constantly request the pages and ids in which the next pets will appear. Therefore the check detects a read whose
 * response comes from a statement that started before the read arrived.
 */
export async function checkLinearizability(
  apps: readonly Pick<RunningApp, 'port'>[],
  effort: Effort,
): Promise<Outcome> {
  const connections: RawConnection[] = [];
  const all = new Tail('/v1/pets?limit=100');
  const byStatus = STATUSES.map((status) => new Tail(`/v1/pets?status=${status}&limit=100`));
  const progress = { begun: 0, rounds: 0, reads: 0, miss: undefined as string | undefined };

  async function connect(index: number): Promise<RawConnection> {
    const connection = await RawConnection.open(apps[index % apps.length]!.port);
    connections.push(connection);
    return connection;
  }

  async function get(connection: RawConnection, path: string, statuses = [200]): Promise<RawResponse> {
    connection.send(requestBytes('GET', path, [KEY]));
    const answer = await connection.response();
    progress.reads += 1;
    if (!statuses.includes(answer.status)) throw new Error(`${path}: ${answer.status} ${answer.text()}`);
    return answer;
  }

  async function lookUp(connection: RawConnection, id: number): Promise<void> {
    const { status } = await get(connection, `/v1/pets/${id}`, [200, 404]);
    if (status === 404) progress.miss ??= `The animal ${id} by its id`;
  }

  /** Reads up to the end of the list if necessary. `from` was the start of the tail before the pet was created. */
  async function lookThrough(connection: RawConnection, tail: Tail, from: Tail['start'], id: number): Promise<void> {
    for (let path: string | undefined = from.path; path !== undefined;) {
      const answer: RawResponse = await get(connection, path);
      const text = answer.text();
      const next = nextPage(answer);
      if (next !== undefined) {
        const after = Number(/"id":(?<id>[0-9]+)/.exec(text.slice(text.lastIndexOf('{"id":')))?.groups?.['id']);
        if (after > tail.start.after) tail.start = { path: next, after };
      }
      if (text.includes(`{"id":${id},`)) return;
      path = next;
    }
    progress.miss ??= `The animal ${id} in ${from.path}`;
  }

  function isOver(): boolean {
    return progress.miss !== undefined || progress.rounds >= effort.rounds;
  }

  async function read(connection: RawConnection, number: number): Promise<void> {
    for (let n = number; !isOver(); n++) {
      const tail = n % 4 === 0 ? byStatus[(n / 4) % byStatus.length]! : all;
      const { acknowledged, start } = tail;
      if (n % 4 === 1) await lookUp(connection, Math.max(acknowledged, 1));
      // These ids do not exist yet, but soon will; until then the response is 404.
      else if (n % 4 === 2) await get(connection, `/v1/pets/${acknowledged + 1 + (n % effort.writers)}`, [200, 404]);
      else if (acknowledged > start.after) await lookThrough(connection, tail, start, acknowledged);
      else await get(connection, start.path);
    }
  }

  async function write(poster: RawConnection, lookers: readonly RawConnection[]): Promise<void> {
    while (progress.miss === undefined && progress.begun < effort.rounds) {
      const round = progress.begun++ % STATUSES.length;
      const tails = [all, byStatus[round]!];
      const starts = tails.map(({ start }) => start);
      const id = await create(poster, STATUSES[round]!);
      for (const tail of tails) tail.acknowledged = Math.max(tail.acknowledged, id);
      await Promise.all([
        lookUp(lookers[0]!, id),
        ...tails.map((tail, index) => lookThrough(lookers[index + 1]!, tail, starts[index]!, id)),
      ]);
      progress.rounds += 1;
    }
  }

  try {
    await create(await connect(0), 'available');
    const readers = Array.from({ length: effort.readers }, async (_, n) => {
      await read(await connect(n), n);
    });
    const writers = Array.from({ length: effort.writers }, async (_, n) => {
      await write(await connect(n), await Promise.all([1, 2, 3].map((other) => connect(n + other))));
    });
    await Promise.all([...readers, ...writers]);
  } finally {
    for (const connection of connections) connection.close();
  }
  const { rounds, reads, miss } = progress;
  return { rounds, reads, miss };
}

async function create(connection: RawConnection, status: string): Promise<number> {
  const body = JSON.stringify({ name: 'Rex', categoryId: 7, status });
  const fields = [KEY, 'Content-Type: application/json', `Content-Length: ${body.length}`];
  connection.send(requestBytes('POST', '/v1/pets', fields, body));
  const answer = await connection.response();
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text()}`);
  return (JSON.parse(answer.text()) as { id: number }).id;
}
