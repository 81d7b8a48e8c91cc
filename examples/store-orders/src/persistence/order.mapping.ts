import { defineEntity, p } from '@mikro-orm/core';
import { declareTable } from '@animal-store/persistence/tables';
import { MAX_NOTE, Order, ORDER_STATUSES, type Address, type OrderLine } from '../domain/order.js';

/** Maps an order to the table `store_orders`: lines and address are stored as the JSON of the response. */
export const OrderMapping = defineEntity({
  class: Order,
  tableName: 'store_orders',
  properties: {
    id: p.bigint().primary().autoincrement().generated('by default as identity'),
    petId: p.bigint(),
    quantity: p.smallint(),
    lines: p.json<readonly OrderLine[]>().columnType('json'),
    address: p.json<Address>().columnType('json'),
    shipDate: p.datetime(3).nullable(),
    note: p.string().length(MAX_NOTE).nullable(),
    status: p.enum([...ORDER_STATUSES]),
    placedAt: p.datetime(3),
  },
  indexes: [{ name: 'store_orders_status_id_index', properties: ['status', 'id'] }],
});

/** The JSON fields of an order, and the column that filters the pages of orders. */
export const ORDERS = declareTable(OrderMapping, { filters: ['status'] });
