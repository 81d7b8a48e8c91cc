import fc, { type Arbitrary } from 'fast-check';
import { nextPage } from '../../support/pages.js';
import type { RawAnswer } from '../../support/raw-http.js';
import type { ServerDatabase } from '../../support/databases.js';
import type { RunningApp } from '../../support/running-app.js';
import { slowDatabase } from '../../support/slow-database.js';
import { withClient } from '../../support/sql.js';
import { explore } from '../exploration.js';
import type { HttpRequest } from '../http-request.js';
import {
  CATALOGUE,
  creation,
  creationOf,
  describeCall,
  getOf,
  meaningOf,
  pageOf,
  reading,
  STATUSES,
  type CatalogueCall,
  type PetInput,
} from './catalogue-history.js';
import { Instances } from './instances.js';
import { linearize, type Call } from './linearization.js';

/** The maximum delay of a statement on its way to the database, and of its answer on the way back. It is much longer than a request. */
const MAX_DELAY_MS = 12;

/** The maximum delay of a commit. */
const MAX_COMMIT_MS = 4;

/** How often a failing scene is tried again, because the failure depends on timing; and how often in total. */
const ATTEMPTS_WHILE_SHRINKING = 10;
const MAX_ATTEMPTS_WHILE_SHRINKING = 200;

/** The first ids of a run: beyond 2^53, doubles round; shorter ids have fewer digits to lose. */
const FIRST_IDS = [2n ** 53n + 1n, 10_000_000n, 2n ** 63n - 1_000n];

/** What is explored, and how many actions all clients together have in one scene. */
interface Exploration {
  readonly runs: number;
  readonly leastRuns?: number;
  readonly instances: number;
  readonly clients: number;
  readonly actions: number;
  readonly restarts: boolean;
  /** Is called with every instance that starts. */
  readonly prepare?: (app: RunningApp) => void;
}

/**
 * Runs scenes of clients that ask at the same time; some order of their calls must explain all answers.
 *
 * @returns the number of scenes, and of calls that were answered
 * @throws Error as `explore` does
 */
export async function exploreClients(
  database: ServerDatabase,
  { runs, leastRuns, instances: count, prepare, ...concurrency }: Exploration,
): Promise<{ runs: number; calls: number }> {
  await slowCommits(database.url);
  const instances = new Instances(database, count, (app) => {
    slowDatabase(app, MAX_DELAY_MS);
    prepare?.(app);
  });
  let calls = 0;
  let attemptsLeft: number | undefined;
  const property = fc.asyncProperty(fc.constantFrom(...FIRST_IDS), scenes(concurrency), async (firstId, scene) => {
    // A scene that is not tried any more counts as successful, so the smallest failing scene so far remains.
    const attempts = attemptsLeft === undefined ? 1 : Math.min(ATTEMPTS_WHILE_SHRINKING, attemptsLeft);
    for (let attempt = 0; attempt < attempts; attempt++) {
      await instances.reset(firstId);
      const run = new ConcurrentRun(instances);
      try {
        await run.all(scene);
        calls += run.check();
      } catch (error) {
        attemptsLeft ??= MAX_ATTEMPTS_WHILE_SHRINKING;
        throw error;
      } finally {
        if (attemptsLeft !== undefined) attemptsLeft -= 1;
      }
    }
  });
  try {
    return { runs: await explore(runs, property, leastRuns), calls };
  } finally {
    await instances.close();
  }
}

/** Adds a delay between the assignment of an id and its commit, as on a busy server. */
async function slowCommits(url: string): Promise<void> {
  await withClient(url, (client) =>
    client.query(`
      create or replace function wait_a_moment() returns trigger language plpgsql as
        $$ begin perform pg_sleep(random() * ${MAX_COMMIT_MS / 1_000}); return null; end $$;
      create or replace trigger wait_a_moment after insert on pets for each statement execute function wait_a_moment()`),
  );
}

/** An action of a client. The client sends its next action after the answer to the previous one. */
type Action =
  | { readonly kind: 'create'; readonly status: PetInput['status'] }
  /** With one of two keys, for one of two pets. */
  | { readonly kind: 'createOnce'; readonly key: string; readonly pet: number; readonly isSpaced: boolean }
  /** The distance from the highest id that any client has received. */
  | { readonly kind: 'get'; readonly distance: number }
  | { readonly kind: 'list'; readonly status: PetInput['status']; readonly limit: number }
  /** The page after the last page that the client received. */
  | { readonly kind: 'next' }
  | { readonly kind: 'restart' };

/** The actions of all clients: each client carries out its own actions, in this order. Clients with an even number call the first instance. */
type Scene = readonly (readonly [client: number, action: Action])[];

/** Scenes shrink only by the removal of actions: another attempt takes time, and simpler actions would not show more. */
function scenes({
  clients,
  actions,
  restarts,
}: Pick<Exploration, 'clients' | 'actions' | 'restarts'>): Arbitrary<Scene> {
  const status = fc.constantFrom(undefined, ...STATUSES);
  // Wrong answers are likeliest if several clients request the same thing at the same time, so there are few values.
  const filter = fc.constantFrom(undefined, undefined, undefined, 'available' as const);
  const action: Arbitrary<Action> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), status }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('createOnce' as const),
        key: fc.constantFrom('a', 'b'),
        pet: fc.nat({ max: 1 }),
        isSpaced: fc.boolean(),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('get' as const), distance: fc.constantFrom(0, 0, 0, 1, 1, 1, 2, -1) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('list' as const),
        status: filter,
        limit: fc.constantFrom(100, 100, 100, 2),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'next' as const }) },
    ...(restarts ? [{ weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) }] : []),
  );
  const part = fc.tuple(fc.nat({ max: clients - 1 }), action);
  return fc.array(fc.noShrink(part), { minLength: 2, maxLength: actions, size: 'max' });
}

/** Two keys never have the same pet, so a pet shows by which key it was added. */
function petOf({ key, pet }: Action & { readonly kind: 'createOnce' }): PetInput {
  return { name: `Tom of ${key}`, categoryId: BigInt(pet), status: undefined };
}

/** A request that waits for its answer. */
interface Sending {
  readonly client: number;
  readonly sentAt: number;
}

class ConcurrentRun {
  private clock = 0;
  private readonly calls: Call<CatalogueCall>[] = [];
  private wasRestarted = false;
  private highestId: bigint;

  constructor(private readonly instances: Instances) {
    this.highestId = instances.firstId - 1n;
  }

  async all(scene: Scene): Promise<void> {
    const clients = Map.groupBy(scene, ([client]) => client);
    const ends = await Promise.allSettled(
      [...clients].map(([client, parts]) =>
        this.client(
          client,
          parts.map(([, action]) => action),
        ),
      ),
    );
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    // A client that lists the pets after all other calls sees the result of each of them.
    await this.list(Math.max(...clients.keys()) + 1, undefined, 100);
  }

  check(): number {
    const result = linearize(this.settled(), CATALOGUE);
    if (result.isLinearizable) return this.calls.length;
    const lines = (calls: readonly Call<CatalogueCall>[]) =>
      calls.map(
        ({ client, sentAt, answeredAt, operation }) =>
          `  client ${client + 1}, ${sentAt} to ${answeredAt}: ${describeCall(operation)}`,
      );
    return this.fail(
      [
        'No order of the calls explains the answers. The longest that does:',
        ...lines(result.order),
        'After it none of these fits:',
        ...lines(result.stuck),
      ].join('\n'),
    );
  }

  private async client(client: number, actions: readonly Action[]): Promise<void> {
    const instance = client % this.instances.count;
    let next:
      | { readonly target: string; readonly status: PetInput['status']; readonly limit: number; readonly after: bigint }
      | undefined;
    for (const [place, action] of actions.entries()) {
      switch (action.kind) {
        case 'create':
          // All these pets differ, so the last list shows what became of a creation without an answer.
          await this.create(client, { name: 'Rex', categoryId: BigInt(client * 1_000 + place), status: action.status });
          break;
        case 'createOnce':
          await this.create(client, petOf(action), action.key, action.isSpaced);
          break;
        case 'get': {
          const id = this.highestId + BigInt(action.distance);
          await this.call(client, reading(`/v1/pets/${id}`), (answer) => getOf(id, answer));
          break;
        }
        case 'list':
          next = await this.list(client, action.status, action.limit);
          break;
        case 'next':
          if (next !== undefined) next = await this.list(client, next.status, next.limit, next.target, next.after);
          break;
        case 'restart':
          this.wasRestarted = true;
          await this.instances.restart(instance);
      }
    }
  }

  private async create(client: number, pet: PetInput, key?: string, isSpaced = false): Promise<void> {
    const lost = { kind: 'create', pet, key, outcome: undefined } as const;
    const answer = await this.call(
      client,
      creation(pet, key, isSpaced),
      (answered) => creationOf(pet, key, answered),
      lost,
    );
    const id = /"id":(?<id>[0-9]+)/.exec(answer?.text() ?? '')?.groups?.['id'];
    if (id !== undefined && BigInt(id) > this.highestId) this.highestId = BigInt(id);
  }

  private async list(
    client: number,
    status: PetInput['status'],
    limit: number,
    target = `/v1/pets?limit=${limit}${status === undefined ? '' : `&status=${status}`}`,
    after = 0n,
  ) {
    const answer = await this.call(client, reading(target), (answered) => pageOf(status, limit, after, answered));
    const next = answer === undefined ? undefined : nextPage(answer);
    const last = /.*"id":(?<id>[0-9]+)/s.exec(answer?.text() ?? '')?.groups?.['id'];
    return next === undefined || last === undefined ? undefined : { target: next, status, limit, after: BigInt(last) };
  }

  /** @param lost what is known of the call if no answer arrives */
  private async call(
    client: number,
    request: HttpRequest,
    read: (answer: RawAnswer) => CatalogueCall,
    lost?: CatalogueCall,
  ): Promise<RawAnswer | undefined> {
    const instance = client % this.instances.count;
    const sending: Sending = { client, sentAt: this.clock++ };
    const answer = await this.instances.send(instance, request).catch((error: unknown) => {
      // Only a restart may close a connection.
      if (!this.wasRestarted) this.fail((error as Error).message);
      return undefined;
    });
    // An instance that is shutting down says so.
    if (answer === undefined || (answer.status === 503 && this.wasRestarted)) {
      if (lost !== undefined) this.calls.push({ ...sending, answeredAt: Infinity, operation: lost });
      return undefined;
    }
    try {
      this.calls.push({ ...sending, answeredAt: this.clock++, operation: read(answer) });
    } catch (error) {
      this.fail(`client ${client + 1}: ${(error as Error).message}`);
    }
    return answer;
  }

  /** The calls. A creation without an answer gets the outcome that the last list shows, or is left out. */
  private settled(): Call<CatalogueCall>[] {
    const last = this.calls.at(-1)!.operation;
    const text = last.kind === 'page' ? last.text : '';
    return this.calls.flatMap((call) => {
      const { operation } = call;
      if (operation.kind !== 'create' || operation.outcome !== undefined) return [call];
      const id = new RegExp(`"id":([0-9]+),${meaningOf(operation.pet)}`).exec(text)?.[1];
      if (id === undefined) return [];
      return [{ ...call, operation: { ...operation, outcome: { id: BigInt(id), isReplayed: false } } }];
    });
  }

  private fail(message: string): never {
    throw new Error(`${message}\nAll requests:\n${this.instances.transcript.toString()}`);
  }
}
