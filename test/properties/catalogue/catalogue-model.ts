import { shown, type PetInput, meaningOf } from './pet-input.js';

const DEFAULT_LIMIT = 20;

interface Animal {
  readonly id: bigint;
  readonly status: string;
  /** As every answer shows it. */
  readonly text: string;
}

/** A page that an answer told of: `cursor` is what its address ends with. */
export interface KnownPage {
  readonly target: string;
  readonly status: string | undefined;
  readonly limit: number;
  readonly after: bigint;
}

/** What a client must be told of a creation. */
export type ExpectedCreation =
  { readonly kind: 'added' } | { readonly kind: 'replayed'; readonly animal: Animal } | { readonly kind: 'reused' };

/** The catalogue as clients know it, that ask one after the other. */
export class CatalogueModel {
  readonly animals: Animal[] = [];
  readonly pages: KnownPage[] = [];
  /** Each with what it was used for. */
  readonly keys = new Map<string, { readonly pet: PetInput; readonly animal: Animal }>();

  expectCreation(pet: PetInput, key: string | undefined): ExpectedCreation {
    const use = key === undefined ? undefined : this.keys.get(key);
    if (use === undefined) return { kind: 'added' };
    return meaningOf(use.pet) === meaningOf(pet) ? { kind: 'replayed', animal: use.animal } : { kind: 'reused' };
  }

  add(id: bigint, pet: PetInput, key: string | undefined): void {
    const animal = { id, status: pet.status ?? 'available', text: shown(id, pet) };
    this.animals.push(animal);
    if (key !== undefined) this.keys.set(key, { pet, animal });
  }

  get lastId(): bigint {
    return this.animals.at(-1)?.id ?? 0n;
  }

  find(id: bigint): Animal | undefined {
    return this.animals.find((animal) => animal.id === id);
  }

  /** What a page shows, and the id after which the next one begins where there is one. */
  page(
    status: string | undefined,
    limit = DEFAULT_LIMIT,
    after = 0n,
  ): { readonly text: string; readonly next?: bigint } {
    const all = this.animals.filter(
      (animal) => animal.id > after && (status === undefined || animal.status === status),
    );
    const page = all.slice(0, limit);
    const text = `[${page.map((animal) => animal.text).join(',')}]`;
    return all.length > limit ? { text, next: page.at(-1)!.id } : { text };
  }
}
