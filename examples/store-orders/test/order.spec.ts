import { NewOrder, Order, ORDER_STATUSES, type OrderLine } from '../src/domain/order.js';

const LINES = [{ sku: 'LEASH-2', quantity: 1 }];
const ADDRESS = { street: '1 Harbour Road', city: 'Bristol' };

function placing(changes: { quantity?: number; lines?: OrderLine[]; note?: string }): () => NewOrder {
  const { quantity = 1, lines = LINES, note } = changes;
  return () => new NewOrder(7n, quantity, lines, ADDRESS, undefined, note);
}

describe('an order', () => {
  test.each([
    ['the smallest', { quantity: 1, note: '' }],
    [
      'the largest',
      { quantity: 10, lines: Array<OrderLine>(50).fill({ sku: 'A', quantity: 10 }), note: '🦀'.repeat(2_000) },
    ],
  ])('may have %s of what is allowed', (_what, changes) => {
    expect(placing(changes)).not.toThrow();
  });

  test.each([
    ['every quantity', { quantity: 0 }],
    ['every quantity', { quantity: 11 }],
    ['every quantity', { quantity: 1.5 }],
    ['every quantity', { lines: [{ sku: 'A', quantity: 11 }] }],
    ['lines', { lines: [] }],
    ['lines', { lines: Array<OrderLine>(51).fill({ sku: 'A', quantity: 1 }) }],
    ['note', { note: 'x'.repeat(2_001) }],
  ])('is refused when its %s breaks the rule: %j', (field, changes) => {
    expect(placing(changes)).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        message: expect.stringMatching(`^${field} must be`) as string,
      }) as Error,
    );
  });

  test('is refused with all that is wrong at once', () => {
    expect(placing({ quantity: 0, lines: [], note: 'x'.repeat(2_001) })).toThrow(/^every quantity.*; lines.*; note/);
  });
});

describe('what becomes of an order', () => {
  const SHIP_DATE = new Date('2026-12-24T10:00:00Z');

  function orderOf(status: (typeof ORDER_STATUSES)[number]): Order {
    return new Order(3n, 7n, 1, LINES, ADDRESS, SHIP_DATE, 'ring twice', status, new Date(0));
  }

  test.each([
    ['deliver', 'delivered'],
    ['cancel', 'cancelled'],
  ] as const)('is, after %s, that it is %s and else the same', (transition, status) => {
    const placed = orderOf('placed');
    expect(placed.after(transition)).toEqual(orderOf(status));
    expect(placed).toEqual(orderOf('placed'));
  });

  test.each([
    ['deliver', 'delivered'],
    ['deliver', 'cancelled'],
    ['cancel', 'delivered'],
    ['cancel', 'cancelled'],
  ] as const)('is nothing when one would %s what is %s', (transition, status) => {
    expect(() => orderOf(status).after(transition)).toThrow(
      expect.objectContaining({
        kind: 'conflict',
        code: 'order_closed',
        message: `The order 3 is ${status}: it is too late to ${transition} it`,
      }) as Error,
    );
  });
});
