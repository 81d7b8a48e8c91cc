import fc, { type Arbitrary } from 'fast-check';
import { TEST_API_KEY } from '../../support/test-api-key.js';
import { authorizedBy, type HttpRequest } from '../http-request.js';

export const STATUSES = ['available', 'pending', 'sold'] as const;

/** A pet as a client sends it. */
export interface PetInput {
  readonly name: string;
  readonly categoryId: bigint;
  /** If it is omitted, the pet is available. */
  readonly status: (typeof STATUSES)[number] | undefined;
}

export function petInputs(): Arbitrary<PetInput> {
  return fc.record({
    name: fc.oneof(
      fc.constantFrom('Bella', "O'Malley", 'a "b"\\', '$(id) `id` %s @x', 'two\nlines', '\u{1F98A} Žofka', ' x '),
      fc
        .string({ unit: 'binary', minLength: 1, maxLength: 20 })
        .filter((name) => /\S/u.test(name) && !name.includes('\0')),
    ),
    categoryId: fc.constantFrom(0n, -1n, 7n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)),
    status: fc.constantFrom(undefined, ...STATUSES),
  });
}

/** The text that two bodies with the same pet have in common. */
export function meaningOf({ name, categoryId, status = 'available' }: PetInput): string {
  return `"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"`;
}

/** The pet as answers show it. */
export function shown(id: bigint, pet: PetInput): string {
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

/** The address of the first page of a list. */
export function listTarget(status: string | undefined, limit: number | undefined): string {
  const query = [
    ...(limit === undefined ? [] : [`limit=${limit}`]),
    ...(status === undefined ? [] : [`status=${status}`]),
  ].join('&');
  return query === '' ? '/v1/pets' : `/v1/pets?${query}`;
}
