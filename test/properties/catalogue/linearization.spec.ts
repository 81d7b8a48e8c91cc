import { CATALOGUE, type CatalogueCall } from './catalogue-history.js';
import { linearize, type Call } from './linearization.js';
import { shown, type PetInput } from './pet-input.js';

const REX: PetInput = { name: 'Rex', categoryId: 7n, status: undefined };
const TOM: PetInput = { name: 'Tom', categoryId: 7n, status: 'sold' };

function added(id: bigint, pet = REX, key?: string): CatalogueCall {
  return { kind: 'create', pet, key, outcome: { id, isReplayed: false } };
}

function replayed(id: bigint, pet: PetInput, key: string): CatalogueCall {
  return { kind: 'create', pet, key, outcome: { id, isReplayed: true } };
}

function reused(pet: PetInput, key: string): CatalogueCall {
  return { kind: 'create', pet, key, outcome: 'reused' };
}

function got(id: bigint, pet?: PetInput): CatalogueCall {
  return { kind: 'get', id, text: pet && shown(id, pet) };
}

function listed(...ids: readonly bigint[]): CatalogueCall {
  const text = `[${ids.map((id) => shown(id, REX)).join(',')}]`;
  return { kind: 'page', status: undefined, limit: 100, after: 0n, text, hasNext: false };
}

/** A call with the times of its request and of its answer. */
type Timed = readonly [sentAt: number, answeredAt: number, operation: CatalogueCall];

/** Whether an order of the calls explains all answers. */
function isExplained(...calls: readonly Timed[]): boolean {
  const all = calls.map(([sentAt, answeredAt, operation], client): Call<CatalogueCall> => ({
    client,
    sentAt,
    answeredAt,
    operation,
  }));
  return linearize(all, CATALOGUE).isLinearizable;
}

describe('an order of calls', () => {
  test.each<[what: string, ...calls: Timed[]]>([
    ['one after the other', [0, 1, added(1n)], [2, 3, got(1n, REX)], [4, 5, listed(1n)]],
    ['a read that sees what is being added', [0, 9, added(1n)], [1, 2, listed(1n)]],
    ['one that does not see it yet', [0, 9, added(1n)], [1, 2, listed()]],
    ['one that sees it, and then one that does', [0, 9, added(1n)], [1, 2, got(1n)], [3, 4, got(1n, REX)]],
    ['ids that are answered in another order', [0, 9, added(1n)], [0, 3, added(2n)], [4, 5, listed(1n, 2n)]],
    ['a key of which the second call is answered first', [0, 9, added(1n, REX, 'a')], [1, 2, replayed(1n, REX, 'a')]],
    ['a key that was used', [0, 1, added(1n, REX, 'a')], [2, 3, reused(TOM, 'a')]],
    ['a call without an answer that was carried out', [0, Infinity, added(1n)], [1, 2, listed()], [3, 4, listed(1n)]],
    ['one that was not', [0, Infinity, added(1n)], [1, 2, listed()], [3, 4, listed()]],
  ])('is found for %s', (_what, ...calls) => {
    expect(isExplained(...calls)).toBe(true);
  });

  test.each<[what: string, ...calls: Timed[]]>([
    ['a read that misses what was answered before', [0, 1, added(1n)], [2, 3, listed()]],
    ['a pet that is gone again', [0, 9, added(1n)], [1, 2, got(1n, REX)], [3, 4, got(1n)]],
    [
      'a list that shows a later id first',
      [0, 9, added(1n)],
      [0, 9, added(2n)],
      [1, 2, listed(2n)],
      [3, 4, listed(1n, 2n)],
    ],
    ['an id that is below one that was there', [0, 1, added(2n)], [2, 3, added(1n)]],
    ['a key that adds twice', [0, 9, added(1n, REX, 'a')], [0, 9, added(2n, REX, 'a')]],
    ['a key that is taken for another body', [0, 1, added(1n, REX, 'a')], [2, 3, replayed(1n, TOM, 'a')]],
    ['a key that is refused for the same body', [0, 1, added(1n, REX, 'a')], [2, 3, reused(REX, 'a')]],
    ['a pet that nobody added', [0, 1, listed(1n)]],
    ['a pet that is shown otherwise', [0, 1, added(1n, TOM)], [2, 3, got(1n, REX)]],
  ])('is not found for %s', (_what, ...calls) => {
    expect(isExplained(...calls)).toBe(false);
  });

  test('is found at once for hundred clients that read while one adds', () => {
    const reads = Array.from({ length: 100 }, (_, n) => [1, 90, n % 2 === 0 ? listed() : listed(1n)] as const);
    expect(isExplained([0, 99, added(1n)], ...reads)).toBe(true);
  });
});
