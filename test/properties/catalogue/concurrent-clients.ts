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

/** What a client does; it sends when it has the answer to what it did before. */
export type Action =
  | { readonly kind: 'create'; readonly status: PetInput['status'] }
  /** With one of few keys, for one of few pets. */
  | { readonly kind: 'createOnce'; readonly key: string; readonly pet: number }
  /** This far from the highest id that any client was told. */
  | { readonly kind: 'get'; readonly distance: number }
  | { readonly kind: 'list'; readonly status: PetInput['status']; readonly limit: number }
  /** The page after the one that it was shown last. */
  | { readonly kind: 'next' }
  | { readonly kind: 'restart' };

/** What the clients do: each its own part, in this order. Those with an even number call the first instance. */
export type Scene = readonly (readonly [client: number, action: Action])[];

export interface Concurrency {
  readonly clients: number;
  /** Of all clients together. */
  readonly actions: number;
  readonly restarts: boolean;
}

/** They shrink by leaving actions out alone: to try a scene again takes time, and simpler actions would tell no more. */
export function scenes({ clients, actions, restarts }: Concurrency): Arbitrary<Scene> {
  const status = fc.constantFrom(undefined, ...STATUSES);
  // What several ask for at the same time is what they may be answered wrongly: few things.
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
 * Lets the clients do it all at the same time, and looks for an order of their calls that explains the answers.
 *
 * @returns how many calls there were
 * @throws PropertyError where there is none
 */
export async function checkConcurrent(instances: Instances, scene: Scene): Promise<number> {
  const run = new ConcurrentRun(instances);
  await run.all(scene);
  return run.check();
}

/** Two keys never mean the same pet, so that it tells by which of them it was added. */
function petOf({ key, pet }: Action & { readonly kind: 'createOnce' }): PetInput {
  return { name: `Tom of ${key}`, categoryId: BigInt(pet), status: undefined };
}

/** One that waits for its answer. */
interface Sending {
  readonly client: number;
  readonly sentAt: number;
}

class ConcurrentRun {
  private clock = 0;
  private readonly calls: Call<CatalogueCall>[] = [];
  /** By client. */
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
    // Who asks when all is over sees what became of everything.
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
          // No two of these are alike, so that what became of one without an answer is to be seen in the end.
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

  /** @param lost what is known of the call where no answer comes */
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
      // Nobody but a restart may cut a connection.
      if (!this.wasRestarted()) this.fail((error as Error).message);
      return undefined;
    });
    // An instance that is about to end says so.
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

  /** The calls, those without an answer with what became of them as the last list shows it, or left out. */
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
