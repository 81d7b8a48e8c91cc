import { IdempotencyKeyReusedError, type IdempotencyKey } from '@animal-store/kernel';
import { contentOf, Pet, type Addition, type NewPet } from '@animal-store/pets-domain';
import { Batcher } from '../batching/batcher.js';
import type { BatcherLoad } from '../batching/batcher-load.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { fingerprintOf } from '../idempotency/fingerprint.js';
import { toBigInt, toBoolean, type Statements } from '../statements.js';
import { ADD_PETS_ONCE } from './pet.statements.js';

interface Call {
  readonly pet: NewPet;
  readonly key: IdempotencyKey;
  readonly fingerprint: string;
}

/** What a key was used for. */
interface Use {
  readonly fingerprint: string;
  /** Of the animal that was added. */
  readonly id: bigint;
  /** It was added by the statement that tells. */
  readonly isNew: boolean;
}

/** Adds animals under idempotency keys, those that wait together in one statement and one commit (ADR 0011). */
export class IdempotentPetAdditions {
  private readonly batcher: Batcher<Call, Addition | undefined>;

  constructor(
    private readonly statements: Statements,
    limits: BatchingLimits,
  ) {
    this.batcher = new Batcher({ ...limits, writes: true, run: (calls) => this.add(calls) });
  }

  /** For whoever measures them. */
  get batchers(): Readonly<Record<string, BatcherLoad>> {
    return { add_pets_once: this.batcher };
  }

  /**
   * Resolves when the animal is durable, and that it was added with it.
   *
   * @throws IdempotencyKeyReusedError
   */
  async submit(pet: NewPet, key: IdempotencyKey): Promise<Addition> {
    const addition = await this.batcher.submit({ pet, key, fingerprint: fingerprintOf(contentOf(pet)) });
    if (addition === undefined) throw new IdempotencyKeyReusedError();
    return addition;
  }

  /** @returns `undefined` in the place of each call whose key means another animal */
  private async add(calls: readonly Call[]): Promise<(Addition | undefined)[]> {
    // One statement can use a key once: the first call that brings it asks, and the others are told what came of it.
    const askers = new Map<string, Call>();
    for (const call of calls) if (!askers.has(nameOf(call))) askers.set(nameOf(call), call);
    const used = await this.use([...askers.values()]);
    const uses = new Map([...askers.keys()].map((name, index) => [name, used[index]]));

    return calls.map((call) => {
      const use = uses.get(nameOf(call));
      if (use === undefined) throw new Error('The database did not answer for an idempotency key');
      if (use.fingerprint !== call.fingerprint) return undefined;
      const { name, categoryId, status } = call.pet;
      const replayed = !use.isNew || askers.get(nameOf(call)) !== call;
      // What was asked for is what was added, so the id is all that has to be kept.
      return { pet: new Pet(use.id, name, categoryId, status), replayed };
    });
  }

  /** @param calls each with a key of its own */
  private async use(calls: readonly Call[]): Promise<Use[]> {
    const rows = await this.statements.run(ADD_PETS_ONCE, [
      calls.map(({ key }) => key.holder),
      calls.map(({ key }) => key.key),
      calls.map(({ fingerprint }) => fingerprint),
      calls.map(({ pet }) => pet.name),
      calls.map(({ pet }) => String(pet.categoryId)),
      calls.map(({ pet }) => pet.status),
    ]);
    return rows.map(([fingerprint, id, isNew]) => ({
      fingerprint: fingerprint as string,
      id: toBigInt(id),
      isNew: toBoolean(isNew),
    }));
  }
}

function nameOf({ key: { holder, key } }: Call): string {
  return JSON.stringify([holder, key]);
}
