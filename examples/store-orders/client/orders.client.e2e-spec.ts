import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnimalStore } from '@animal-store/client';
import { TEST_API_KEY, useApp } from '@animal-store/testing';
import { typesOf } from '../../../clients/typescript/tools/generate-types.js';
import { createOrdersDatabase, WITH_ORDERS } from '../test/support.js';
import { ORDERS, type Order } from './orders.client.js';

const LINES = [{ sku: 'LEASH-2', quantity: 2 }];
const ADDRESS = { street: '1 Harbour Road', city: 'Bristol' };

describe('the client, with the operations of orders', () => {
  const app = useApp(createOrdersDatabase, {}, WITH_ORDERS);
  const open = () => new AnimalStore({ baseUrl: app.url, apiKey: TEST_API_KEY }).extend({ orders: ORDERS });

  async function place(store: ReturnType<typeof open>): Promise<Order> {
    const { id: petId } = await store.pets.create({ name: 'Rex', categoryId: 7 });
    return store.orders.place({ petId, quantity: 1, lines: LINES, address: ADDRESS });
  }

  const WRITE_TYPES = 'npm run example:types';

  test(`has types that are those of the document: ${WRITE_TYPES} writes them`, async () => {
    const types = readFileSync(join(import.meta.dirname, 'generated/openapi.ts'), 'utf8');
    expect(types).toBe(await typesOf(new URL('/openapi.yaml', app.url), WRITE_TYPES));
  });

  test('places an order, and reads it by its id and in the list', async () => {
    const store = open();
    const order = await place(store);
    expect(order).toMatchObject({ status: 'placed', quantity: 1, lines: LINES, address: ADDRESS });
    expect([typeof order.id, typeof order.petId]).toEqual(['bigint', 'bigint']);
    expect(await store.orders.get(order.id)).toEqual(order);
    const ids: bigint[] = [];
    for await (const { id } of store.orders.list({ status: 'placed', limit: 1 })) ids.push(id);
    expect(ids).toContain(order.id);
  });

  test.each([
    ['deliver', 'delivered'],
    ['cancel', 'cancelled'],
  ] as const)('can %s it', async (change, status) => {
    const store = open();
    const order = await place(store);
    expect(await store.orders[change](order.id)).toEqual({ ...order, status });
  });
});
