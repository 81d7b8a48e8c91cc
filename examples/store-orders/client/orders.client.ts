import { endpointsOf, type Int64In } from '@animal-store/client';
import type { components, paths } from './generated/openapi.js';

/** An order as the client returns it. */
export type Order = components['schemas']['Order'];

const { list, get, create, change } = endpointsOf<paths>();

const ORDER = { id: 'int64', petId: 'int64' } satisfies Int64In<Order>;

/**
 * The operations on orders, for the client of the service:
 *
 *     const store = new AnimalStore({ baseUrl, apiKey }).extend({ orders: ORDERS });
 *     const order = await store.orders.place({ petId, quantity: 1, lines, address });
 *     await store.orders.deliver(order.id);
 */
export const ORDERS = {
  list: list('/store/orders', { items: ORDER }),
  get: get('/store/orders/{orderId}', { answer: ORDER }),
  place: create('/store/orders', { body: { petId: 'int64' }, answer: ORDER }),
  deliver: change('/store/orders/{orderId}/deliver', { answer: ORDER }),
  cancel: change('/store/orders/{orderId}/cancel', { answer: ORDER }),
};
