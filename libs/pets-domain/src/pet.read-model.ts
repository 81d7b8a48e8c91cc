import type { PetPageQuery } from './pet.repository.js';
import type { Pet } from './pet.js';
import type { Requester } from './requester.js';

/** An animal as JSON text, ready for the wire. */
export class RenderedPet {
  constructor(readonly json: string) {}
}

/**
 * A page as JSON text, ready for the wire. All who get the same object asked for the same page at the same time,
 * so what is worked out from it (its entity tag, its link) can be worked out once.
 */
export class RenderedPage {
  constructor(
    readonly json: string,
    /** Set when more animals follow: the `afterId` of the next page. */
    readonly nextAfterId: bigint | undefined,
  ) {}
}

/**
 * The catalogue as its readers on the wire get it: as JSON text.
 *
 * There are two ways to read an animal, on purpose. {@link PetRepository} gives objects of the domain, to work with.
 * This one gives text that the database rendered: nearly every request only passes it on, so it is not taken apart into
 * objects to be put together again, its integers keep every digit, and requests that wait together can share it.
 * Both see the same animals; a contract test holds their answers together.
 */
export abstract class PetReadModel {
  /** Sees all that was acknowledged before the call, as every read does (linearizable). */
  abstract findById(id: bigint, requester?: Requester): Promise<RenderedPet | undefined>;

  /** As {@link findById}. */
  abstract findPage(query: PetPageQuery, requester?: Requester): Promise<RenderedPage>;
}

/** How an animal is rendered: the one definition, which every read model follows to the byte. */
export function renderPet({ id, name, categoryId, status }: Pet): RenderedPet {
  return new RenderedPet(`{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`);
}
