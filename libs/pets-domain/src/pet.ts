import { INT64_MAX, INT64_MIN, isInt64 } from '@animal-store/kernel';
import { InvalidPetError, PetTransitionError } from './pet.errors.js';
import { DEFAULT_PET_STATUS, PET_STATUSES, PET_TRANSITIONS, type PetStatus, type PetTransition } from './pet-status.js';

export const PET_NAME_MAX_CODE_POINTS = 255;

function violationOfPetName(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (!/\S/u.test(value)) return 'must contain at least one non-blank character';
  if (hasMoreCodePoints(value, PET_NAME_MAX_CODE_POINTS)) {
    return `must be at most ${PET_NAME_MAX_CODE_POINTS} characters long`;
  }
  // PostgreSQL cannot store NUL characters and halves of surrogate pairs: it would refuse or change the name later.
  if (value.includes('\0')) return 'must not contain the NUL character (U+0000)';
  if (!value.isWellFormed()) return 'must be well-formed Unicode: it contains half of a surrogate pair';
  return undefined;
}

/** A code point takes one or two UTF-16 units, so the length alone decides for most names and for every very long name. */
function hasMoreCodePoints(text: string, count: number): boolean {
  return text.length > count && (text.length > 2 * count || Array.from(text).length > count);
}

/** Each rule returns what the value must be, to follow the name of the field in a sentence; `undefined` if it is valid. */
export const petRules = {
  name: violationOfPetName,

  categoryId: (value: unknown): string | undefined =>
    isInt64(value) ? undefined : `must be an integer between ${INT64_MIN} and ${INT64_MAX}`,

  status: (value: unknown): string | undefined =>
    (PET_STATUSES as readonly unknown[]).includes(value) ? undefined : `must be one of ${PET_STATUSES.join(', ')}`,
};

const FIELDS = Object.keys(petRules) as (keyof typeof petRules)[];

/** A pet that is not stored yet: it has no id. */
export class NewPet {
  /** @throws InvalidPetError that names every invalid field */
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

/** A stored pet. Its id never changes, and a change of status returns a new object with all its other fields. */
export class Pet extends NewPet {
  // MikroORM reads the names of these parameters.
  constructor(
    readonly id: bigint,
    name: string,
    categoryId: bigint,
    status: PetStatus,
  ) {
    super(name, categoryId, status);
  }

  /** A pet with all fields of another one: for a store, which assigns the id, or for a new status. */
  static of(id: bigint, fields: NewPet, status = fields.status): Pet {
    // By assignment, so that no field is lost that is added later.
    return Object.assign(new Pet(id, fields.name, fields.categoryId, status), fields, { status });
  }

  /** Reserves an available pet for a buyer. @throws PetTransitionError with the code `pet_not_available` */
  reserve(): Pet {
    return this.after('reserve');
  }

  /** Makes a reserved pet available again. @throws PetTransitionError */
  release(): Pet {
    return this.after('release');
  }

  /** Sells a reserved pet. @throws PetTransitionError */
  sell(): Pet {
    return this.after('sell');
  }

  private after(transition: PetTransition): Pet {
    const { from, to } = PET_TRANSITIONS[transition];
    if (this.status !== from) throw new PetTransitionError(this, transition);
    return Pet.of(this.id, this, to);
  }
}

/**
 * The content of a request to add a pet: equal texts are the same request. Absent optional fields are left out, so an
 * idempotency key keeps its meaning when a later version adds one, also while both versions serve.
 */
export function canonicalForm(pet: NewPet): string {
  return JSON.stringify(['add pet', pet], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
