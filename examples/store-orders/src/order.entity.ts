import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { PetTransition } from '@animal-store/pets-domain';
import { OrderClosedError } from './order.errors.js';

/** The statuses of an order: the values as they are on the wire and in the database. */
export const ORDER_STATUSES = ['placed', 'delivered', 'cancelled'] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The permitted changes of a placed order, and the change of its pet. Every other change is refused. */
export const ORDER_TRANSITIONS = {
  deliver: { to: 'delivered', pet: 'sell' },
  cancel: { to: 'cancelled', pet: 'release' },
} as const satisfies Record<string, { to: OrderStatus; pet: PetTransition }>;

export type OrderTransition = keyof typeof ORDER_TRANSITIONS;

/** The greatest length of a note, in characters. */
export const MAX_NOTE = 2_000;

/** An article that is delivered with the pet. */
export interface OrderLine {
  readonly sku: string;
  readonly quantity: number;
}

export interface Address {
  readonly street: string;
  readonly city: string;
}

const OrderSchema = defineEntity({
  name: 'Order',
  tableName: 'store_orders',
  properties: {
    id: p.bigint().primary().autoincrement().generated('by default as identity'),
    petId: p.bigint(),
    quantity: p.smallint(),
    // As `json` and not `jsonb`, which would change the order of the members.
    lines: p.json<readonly OrderLine[]>().columnType('json'),
    address: p.json<Address>().columnType('json'),
    shipDate: p.datetime(3).nullable(),
    note: p.string().length(MAX_NOTE).nullable(),
    status: p.enum(ORDER_STATUSES),
    placedAt: p.datetime(3),
  },
  indexes: [{ name: 'store_orders_status_id_index', properties: ['status', 'id'] }],
});

/** An order of one pet. Its id never changes. */
export class Order extends OrderSchema.class {
  /** @throws OrderClosedError if the order is already delivered or cancelled */
  close(transition: OrderTransition): void {
    if (this.status !== 'placed') throw new OrderClosedError(this, transition);
    this.status = ORDER_TRANSITIONS[transition].to;
  }
}

OrderSchema.setClass(Order);

/** What a new order needs. */
export type NewOrder = Pick<InferEntity<typeof OrderSchema>, 'petId' | 'quantity' | 'lines' | 'address'> & {
  readonly shipDate?: Date | undefined;
  readonly note?: string | undefined;
};
