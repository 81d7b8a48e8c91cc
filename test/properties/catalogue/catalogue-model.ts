import { shown, type PetInput, meaningOf } from './pet-input.js';

const DEFAULT_LIMIT = 20;

interface Animal {
  readonly id: bigint;
  readonly status: string;
  /** The text of the pet in every answer. */
  readonly text: string;
}

/** A page to which an answer linked: `cursor` is the end of its address. */
export interface KnownPage {
  readonly target: string;
  readonly status: string | undefined;
  readonly limit: number;
  readonly after: bigint;
}

/** The answer that a creation must get. */
export type ExpectedCreation =
  { readonly kind: 'added' } | { readonly kind: 'replayed'; readonly pet: Animal } | { readonly kind: 'reused' };

/** The catalogue as clients know it if they send one request after the other. */
export class CatalogueModel {
  readonly pets: Animal[] = [];
  readonly pages: KnownPage[] = [];
  /** The keys, each with the creation that used it. */
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

  /** The pets that a page shows, and the id after which the next page begins, if there is a next page. */
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
