import { defineEntity, p } from '@mikro-orm/core';
import { declareTable } from '@animal-store/persistence/tables';
import { MAX_NOTE, Order, ORDER_STATUSES, type Address, type OrderLine } from '../domain/order.js';

/** How an order lies in the table `store_orders`: lines and address as the JSON that they are shown as. */
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

/** The fields of an order as JSON, and the filter of its pages. */
export const ORDERS = declareTable(OrderMapping, {
  shown: ['id', 'petId', 'quantity', 'lines', 'address', 'shipDate', 'note', 'status', 'placedAt'],
  filter: 'status',
});
