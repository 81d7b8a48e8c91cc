import { nextPage } from '../../support/pages.js';
import type { RawAnswer } from '../../support/raw-http.js';
import { TEST_API_KEY } from '../../support/test-api-key.js';
import { authorizedBy, createdId, type HttpRequest } from '../http-request.js';
import type { Sequential } from './linearization.js';

export const STATUSES = ['available', 'pending', 'sold'] as const;

/** A pet as a client sends it. */
export interface PetInput {
  readonly name: string;
  readonly categoryId: bigint;
  /** If it is omitted, the pet is available. */
  readonly status: (typeof STATUSES)[number] | undefined;
}

/** The text that two bodies with the same pet have in common. */
export function meaningOf({ name, categoryId, status = 'available' }: PetInput): string {
  return `"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"`;
}

/** The pet as answers show it. */
function shown(id: bigint, pet: PetInput): string {
  return `{"id":${id},${meaningOf(pet)}}`;
}

/** A createPet request. @param isSpaced writes the same pet with spaces and in reverse order */
export function creation(pet: PetInput, key?: string, isSpaced = false): HttpRequest {
  const { name, categoryId, status } = pet;
  const members = [
    `"name":${JSON.stringify(name)}`,
    `"categoryId":${categoryId}`,
    ...(status === undefined ? [] : [`"status":"${status}"`]),
  ];
  return {
    method: 'POST',
    target: '/v1/pets',
    fields: [
      authorizedBy(TEST_API_KEY),
      ['Content-Type', 'application/json'],
      ...(key === undefined ? [] : [['Idempotency-Key', key] as const]),
    ],
    body: Buffer.from(isSpaced ? `{ ${members.reverse().join(' , ')} }` : `{${members.join(',')}}`),
  };
}

export function reading(target: string): HttpRequest {
  return { method: 'GET', target, fields: [authorizedBy(TEST_API_KEY)] };
}

/** A request of a client, and its answer. */
export type CatalogueCall =
  | {
      readonly kind: 'create';
      readonly pet: PetInput;
      readonly key: string | undefined;
      /** `undefined` if no answer arrived. */
      readonly outcome: { readonly id: bigint; readonly isReplayed: boolean } | 'reused' | undefined;
    }
  | { readonly kind: 'get'; readonly id: bigint; readonly text: string | undefined }
  | {
      readonly kind: 'page';
      readonly status: string | undefined;
      readonly limit: number;
      readonly after: bigint;
      readonly text: string;
      readonly hasNext: boolean;
    };

/** The existing pets in ascending order of their ids, and what each key was used for. */
export interface CatalogueState {
  readonly pets: readonly { readonly id: bigint; readonly pet: PetInput }[];
  readonly keys: ReadonlyMap<string, { readonly id: bigint; readonly meaning: string }>;
}

/**
 * The catalogue as the contract describes it: a new pet has a higher id than all existing pets, a key adds one pet, and a
 * read shows all existing pets.
 */
export const CATALOGUE: Sequential<CatalogueState, CatalogueCall> = {
  initial: { pets: [], keys: new Map() },
  apply: (state, call) => {
    switch (call.kind) {
      case 'create':
        return afterCreation(state, call);
      case 'get':
        return textOf(state, call.id) === call.text ? state : undefined;
      case 'page': {
        const all = state.pets.filter(
          ({ id, pet: { status = 'available' } }) =>
            id > call.after && (call.status === undefined || status === call.status),
        );
        const shownOnes = all.slice(0, call.limit).map(({ id, pet }) => shown(id, pet));
        return `[${shownOnes.join(',')}]` === call.text && all.length > call.limit === call.hasNext ? state : undefined;
      }
    }
  },
};

function afterCreation(
  state: CatalogueState,
  { pet, key, outcome }: CatalogueCall & { readonly kind: 'create' },
): CatalogueState | undefined {
  const use = key === undefined ? undefined : state.keys.get(key);
  if (outcome === undefined) return state;
  if (outcome === 'reused') return use !== undefined && use.meaning !== meaningOf(pet) ? state : undefined;
  const { id, isReplayed } = outcome;
  if (isReplayed) return use?.id === id && use.meaning === meaningOf(pet) ? state : undefined;
  if (use !== undefined || id <= (state.pets.at(-1)?.id ?? 0n)) return undefined;
  return {
    pets: [...state.pets, { id, pet }],
    keys: key === undefined ? state.keys : new Map([...state.keys, [key, { id, meaning: meaningOf(pet) }]]),
  };
}

function textOf({ pets }: CatalogueState, id: bigint): string | undefined {
  const found = pets.find((pet) => pet.id === id);
  return found === undefined ? undefined : shown(id, found.pet);
}

/** @throws Error if no creation may have this answer, whatever the catalogue contains */
export function creationOf(pet: PetInput, key: string | undefined, answer: RawAnswer): CatalogueCall {
  if (answer.status === 422 && key !== undefined) return { kind: 'create', pet, key, outcome: 'reused' };
  const id = BigInt(createdId(answer) ?? -1);
  if (answer.status !== 201 || answer.text() !== shown(id, pet)) throw unexpected('a creation', answer);
  return {
    kind: 'create',
    pet,
    key,
    outcome: { id, isReplayed: answer.headers.get('idempotent-replayed') === 'true' },
  };
}

/** @throws Error if no request for a pet may have this answer */
export function getOf(id: bigint, answer: RawAnswer): CatalogueCall {
  if (answer.status !== 200 && answer.status !== 404) throw unexpected(`the animal ${id}`, answer);
  return { kind: 'get', id, text: answer.status === 200 ? answer.text() : undefined };
}

/** @throws Error if no request for a page may have this answer */
export function pageOf(status: string | undefined, limit: number, after: bigint, answer: RawAnswer): CatalogueCall {
  if (answer.status !== 200) throw unexpected('a page', answer);
  return { kind: 'page', status, limit, after, text: answer.text(), hasNext: nextPage(answer) !== undefined };
}

function unexpected(what: string, answer: RawAnswer): Error {
  return new Error(`${what} was answered ${answer.status} ${answer.text()}`);
}

/** Describes a call in words. */
export function describeCall(call: CatalogueCall): string {
  switch (call.kind) {
    case 'create': {
      const { outcome } = call;
      const told =
        typeof outcome === 'object'
          ? `${outcome.id}${outcome.isReplayed ? ', replayed' : ''}`
          : (outcome ?? 'no answer');
      return `create ${call.key ?? 'without a key'} {${meaningOf(call.pet)}}: ${told}`;
    }
    case 'get':
      return `get ${call.id}: ${call.text ?? 'none'}`;
    case 'page':
      return `list ${call.status ?? 'all'} ${call.limit} after ${call.after}: ${call.text}${call.hasNext ? ' and more' : ''}`;
  }
}
