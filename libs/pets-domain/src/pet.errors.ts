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

  /** @param id left out where what was asked for is no id at all: it may be anything, and is not repeated */
  constructor(id?: bigint) {
    super(id === undefined ? 'There is no animal with this id' : `There is no animal with the id ${id}`);
  }
}
