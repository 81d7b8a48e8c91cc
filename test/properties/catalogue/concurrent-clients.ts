import fc, { type Arbitrary } from 'fast-check';
import { nextPage } from '../../support/pages.js';
import type { RawAnswer } from '../../support/raw-http.js';
import { concurrentCurlScript } from '../curl-script.js';
import { PropertyError } from '../exploration.js';
import type { HttpRequest } from '../http-request.js';
import type { Step } from '../transcript.js';
import { CATALOGUE, creationOf, describeCall, getOf, pageOf, type CatalogueCall } from './catalogue-history.js';
import type { Instances } from './instances.js';
import { linearize, type Call } from './linearization.js';
import { creation, listTarget, reading, STATUSES, type PetInput } from './pet-input.js';

/** An action of a client. The client sends its next action after the answer to the previous one. */
export type Action =
  | { readonly kind: 'create'; readonly status: PetInput['status'] }
  /** With one of two keys, for one of two pets. */
  | { readonly kind: 'createOnce'; readonly key: string; readonly pet: number }
  /** The distance from the highest id that any client has received. */
  | { readonly kind: 'get'; readonly distance: number }
  | { readonly kind: 'list'; readonly status: PetInput['status']; readonly limit: number }
  /** The page after the last page that the client received. */
  | { readonly kind: 'next' }
  | { readonly kind: 'restart' };

/** The actions of all clients: each client carries out its own actions, in this order. Clients with an even number call the first instance. */
export type Scene = readonly (readonly [client: number, action: Action])[];

export interface Concurrency {
  readonly clients: number;
  /** The number of actions of all clients together. */
  readonly actions: number;
  readonly restarts: boolean;
}

/** Scenes shrink only by the removal of actions: another attempt takes time, and simpler actions would not show more. */
export function scenes({ clients, actions, restarts }: Concurrency): Arbitrary<Scene> {
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

/**
 * Runs the actions of all clients at the same time, and searches for an order of the calls that explains all answers.
 *
 * @returns the number of calls
 * @throws PropertyError if there is no such order
 */
export async function checkConcurrent(instances: Instances, scene: Scene): Promise<number> {
  const run = new ConcurrentRun(instances);
  await run.all(scene);
  return run.check();
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
  /** The steps of each client, by its number. */
  private readonly steps = new Map<number, Step[]>();
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
          await this.create(client, petOf(action), action.key);
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
          this.note(client, { kind: 'restart', instance });
          await this.instances.restart(instance);
      }
    }
  }

  private async create(client: number, pet: PetInput, key?: string): Promise<void> {
    const lost = { kind: 'create', pet, key, outcome: undefined } as const;
    const answer = await this.call(client, creation(pet, key), (answered) => creationOf(pet, key, answered), lost);
    const id = /"id":(?<id>[0-9]+)/.exec(answer?.text() ?? '')?.groups?.['id'];
    if (id !== undefined && BigInt(id) > this.highestId) this.highestId = BigInt(id);
  }

  private async list(
    client: number,
    status: PetInput['status'],
    limit: number,
    target = listTarget(status, limit),
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
    this.note(client, { kind: 'request', instance, request });
    const answer = await this.instances.send(instance, request).catch((error: unknown) => {
      // Only a restart may close a connection.
      if (!this.wasRestarted()) this.fail((error as Error).message);
      return undefined;
    });
    // An instance that is shutting down says so.
    if (answer === undefined || (answer.status === 503 && this.wasRestarted())) {
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

  private note(client: number, step: Step): void {
    this.steps.set(client, [...(this.steps.get(client) ?? []), step]);
  }

  private wasRestarted(): boolean {
    return [...this.steps.values()].flat().some(({ kind }) => kind === 'restart');
  }

  /** The calls. A creation without an answer gets the outcome that the last list shows, or is left out. */
  private settled(): Call<CatalogueCall>[] {
    const last = this.calls.at(-1)!.operation;
    const text = last.kind === 'page' ? last.text : '';
    return this.calls.flatMap((call) => {
      const { operation } = call;
      if (operation.kind !== 'create' || operation.outcome !== undefined) return [call];
      const { name, categoryId } = operation.pet;
      const id = new RegExp(`"id":([0-9]+),"name":"${name}","categoryId":${categoryId},`).exec(text)?.[1];
      if (id === undefined) return [];
      return [{ ...call, operation: { ...operation, outcome: { id: BigInt(id), isReplayed: false } } }];
    });
  }

  private fail(message: string): never {
    throw new PropertyError(message, concurrentCurlScript([...this.steps.values()], this.instances.preparation));
  }
}
