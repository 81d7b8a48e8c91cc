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
  { readonly kind: 'added' } | { readonly kind: 'replayed'; readonly pet: Animal } | { readonly kind: 'reused' };

/** The catalogue as clients know it, that ask one after the other. */
export class CatalogueModel {
  readonly pets: Animal[] = [];
  readonly pages: KnownPage[] = [];
  /** Each with what it was used for. */
  readonly keys = new Map<string, { readonly input: PetInput; readonly pet: Animal }>();

  expectCreation(input: PetInput, key: string | undefined): ExpectedCreation {
    const use = key === undefined ? undefined : this.keys.get(key);
    if (use === undefined) return { kind: 'added' };
    return meaningOf(use.input) === meaningOf(input) ? { kind: 'replayed', pet: use.pet } : { kind: 'reused' };
  }

  add(id: bigint, input: PetInput, key: string | undefined): void {
    const pet = { id, status: input.status ?? 'available', text: shown(id, input) };
    this.pets.push(pet);
    if (key !== undefined) this.keys.set(key, { input, pet });
  }

  get lastId(): bigint {
    return this.pets.at(-1)?.id ?? 0n;
  }

  find(id: bigint): Animal | undefined {
    return this.pets.find((pet) => pet.id === id);
  }

  /** What a page shows, and the id after which the next one begins where there is one. */
  page(
    status: string | undefined,
    limit = DEFAULT_LIMIT,
    after = 0n,
  ): { readonly text: string; readonly next?: bigint } {
    const all = this.pets.filter((pet) => pet.id > after && (status === undefined || pet.status === status));
    const page = all.slice(0, limit);
    const text = `[${page.map((pet) => pet.text).join(',')}]`;
    return all.length > limit ? { text, next: page.at(-1)!.id } : { text };
  }
}
