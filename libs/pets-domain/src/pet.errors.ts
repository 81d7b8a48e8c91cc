/** A value breaks the rules of an animal. The message names every violation. */
export class InvalidPetError extends Error {
  readonly kind = 'invalid';
  readonly code = 'invalid_request';

  constructor(readonly violations: readonly string[]) {
    super(violations.join('; '));
  }
}

/** No animal has this id. */
export class PetNotFoundError extends Error {
  readonly kind = 'not_found';
  readonly code = 'not_found';

  constructor(id: bigint | string) {
    super(`There is no animal with the id ${id}`);
  }
}
