import { PET_TRANSITIONS, type PetStatus, type PetTransition } from './pet-status.js';

/** The message names every violation. */
export class InvalidPetError extends Error {
  readonly kind = 'invalid';
  readonly code = 'invalid_request';

  constructor(readonly violations: readonly string[]) {
    super(violations.join('; '));
  }
}

export class PetNotFoundError extends Error {
  readonly kind = 'not_found';
  readonly code = 'not_found';

  constructor(id: bigint) {
    super(`There is no animal with the id ${id}`);
  }
}

/** The code is `pet_not_available` if the pet cannot be reserved, otherwise `conflict`. */
export class PetTransitionError extends Error {
  readonly kind = 'conflict';
  readonly code: 'pet_not_available' | 'conflict';

  constructor({ id, status }: { readonly id: bigint; readonly status: PetStatus }, transition: PetTransition) {
    const { from, to } = PET_TRANSITIONS[transition];
    super(`The animal ${id} is ${status}: to ${transition} one, so that it becomes ${to}, it must be ${from}`);
    this.code = transition === 'reserve' ? 'pet_not_available' : 'conflict';
  }
}
