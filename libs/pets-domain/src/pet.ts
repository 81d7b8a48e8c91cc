import { INT64_MAX, INT64_MIN, isInt64 } from '@animal-store/kernel';
import { InvalidPetError, PetTransitionError } from './pet.errors.js';

/** Availability of a pet: the allowed values, exactly as they appear on the wire and in the database. */
export const PET_STATUSES = ['available', 'pending', 'sold'] as const;

export type PetStatus = (typeof PET_STATUSES)[number];

/** The status of a pet that was added without one. */
export const DEFAULT_PET_STATUS: PetStatus = 'available';

/** Whether `value` is one of the allowed values; case counts. */
export function isPetStatus(value: unknown): value is PetStatus {
  return (PET_STATUSES as readonly unknown[]).includes(value);
}

/** What may become of a pet: every other change of its status is refused. */
export const PET_TRANSITIONS = {
  reserve: { from: 'available', to: 'pending' },
  release: { from: 'pending', to: 'available' },
  sell: { from: 'pending', to: 'sold' },
} as const satisfies Record<string, { from: PetStatus; to: PetStatus }>;

export type PetTransition = keyof typeof PET_TRANSITIONS;

/** Longest name of a pet, in Unicode code points. */
export const PET_NAME_MAX_CODE_POINTS = 255;

/**
 * The invariants of a pet's fields. Each rule takes any value and answers what the value must be,
 * to stand after the field's name in a sentence, or `undefined` when it holds.
 */
export const petRules = {
  name: (value: unknown): string | undefined => {
    if (typeof value !== 'string') return 'must be a string';
    if (!/\S/u.test(value)) return 'must contain at least one non-blank character';
    if (hasMoreCodePoints(value, PET_NAME_MAX_CODE_POINTS)) {
      return `must be at most ${PET_NAME_MAX_CODE_POINTS} characters long`;
    }
    // PostgreSQL can store neither, and would change or refuse the name later.
    if (value.includes('\0')) return 'must not contain the NUL character (U+0000)';
    if (!value.isWellFormed()) return 'must be well-formed Unicode: it contains half of a surrogate pair';
    return undefined;
  },

  categoryId: (value: unknown): string | undefined =>
    isInt64(value) ? undefined : `must be an integer between ${INT64_MIN} and ${INT64_MAX}`,

  status: (value: unknown): string | undefined =>
    isPetStatus(value) ? undefined : `must be one of ${PET_STATUSES.join(', ')}`,
};

const FIELDS = ['name', 'categoryId', 'status'] as const;

/** A code point takes one or two UTF-16 units, so their number tells most names, and every hostile one, without a count. */
function hasMoreCodePoints(text: string, count: number): boolean {
  return text.length > count && (text.length > 2 * count || Array.from(text).length > count);
}

/** A pet that is about to be added: it has no id yet. */
export class NewPet {
  /** @throws InvalidPetError naming every field that breaks its rule */
  constructor(
    readonly name: string,
    readonly categoryId: bigint,
    readonly status: PetStatus = DEFAULT_PET_STATUS,
  ) {
    const violations: string[] = [];
    for (const field of FIELDS) {
      const violation = petRules[field](this[field]);
      if (violation !== undefined) violations.push(`${field} ${violation}`);
    }
    if (violations.length > 0) throw new InvalidPetError(violations);
  }
}

/** A pet of the catalogue. The store assigned its id, once and for ever. What changes it gives a new object. */
export class Pet extends NewPet {
  constructor(
    readonly id: bigint,
    name: string,
    categoryId: bigint,
    status: PetStatus,
  ) {
    super(name, categoryId, status);
  }

  /**
   * For somebody who wants it.
   *
   * @throws PetTransitionError with the code `pet_not_available`
   */
  reserve(): Pet {
    return this.after('reserve');
  }

  /**
   * It was {@link reserve}d, and nobody wants it any more.
   *
   * @throws PetTransitionError
   */
  release(): Pet {
    return this.after('release');
  }

  /**
   * It was {@link reserve}d, and has gone to its owner.
   *
   * @throws PetTransitionError
   */
  sell(): Pet {
    return this.after('sell');
  }

  private after(transition: PetTransition): Pet {
    const { from, to } = PET_TRANSITIONS[transition];
    if (this.status !== from) throw new PetTransitionError(this, transition, PET_TRANSITIONS[transition]);
    return new Pet(this.id, this.name, this.categoryId, to);
  }
}

/** What a request to add a pet asks for: requests with the same text ask for the same, however they were written. */
export function canonicalForm({ name, categoryId, status }: NewPet): string {
  return JSON.stringify(['add pet', name, String(categoryId), status]);
}
