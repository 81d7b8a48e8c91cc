import type { PetTransition } from '@animal-store/pets-domain';
import { InvalidOrderError, OrderClosedError } from './order.errors.js';

/** The statuses of an order: the values as they are on the wire and in the database. */
export const ORDER_STATUSES = ['placed', 'delivered', 'cancelled'] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The permitted changes of an order's status, and the change of the claimed pet. Every other change is refused. */
export const ORDER_TRANSITIONS = {
  deliver: { from: 'placed', to: 'delivered', pet: 'sell' },
  cancel: { from: 'placed', to: 'cancelled', pet: 'release' },
} as const satisfies Record<string, { from: OrderStatus; to: OrderStatus; pet: PetTransition }>;

export type OrderTransition = keyof typeof ORDER_TRANSITIONS;

/** The greatest quantity of one line, the greatest number of lines, and the greatest length of a note in characters. */
export const MAX_QUANTITY = 10;
export const MAX_LINES = 50;
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

const isQuantity = (value: number) => Number.isInteger(value) && value >= 1 && value <= MAX_QUANTITY;

/** An order that is not placed yet: it has no id. */
export class NewOrder {
  /** @throws InvalidOrderError with a message that names every invalid field */
  constructor(
    readonly petId: bigint,
    readonly quantity: number,
    readonly lines: readonly OrderLine[],
    readonly address: Address,
    readonly shipDate?: Date,
    readonly note?: string,
    readonly status: OrderStatus = 'placed',
    readonly placedAt = new Date(),
  ) {
    const violations = [
      [quantity, ...lines.map((line) => line.quantity)].every(isQuantity)
        ? []
        : `every quantity must be 1 to ${MAX_QUANTITY}`,
      lines.length >= 1 && lines.length <= MAX_LINES ? [] : `lines must be 1 to ${MAX_LINES}`,
      Array.from(note ?? '').length <= MAX_NOTE ? [] : `note must be at most ${MAX_NOTE} characters long`,
    ].flat();
    if (violations.length > 0) throw new InvalidOrderError(violations.join('; '));
  }
}

/** An order. The store has assigned its id, which never changes. A method that changes the order returns a new object. */
export class Order extends NewOrder {
  constructor(
    readonly id: bigint,
    ...fields: ConstructorParameters<typeof NewOrder>
  ) {
    super(...fields);
  }

  /** @throws OrderClosedError if the order is already delivered or cancelled */
  after(transition: OrderTransition): Order {
    const { from, to } = ORDER_TRANSITIONS[transition];
    if (this.status !== from) throw new OrderClosedError(this, transition);
    const { id, petId, quantity, lines, address, shipDate, note, placedAt } = this;
    return new Order(id, petId, quantity, lines, address, shipDate, note, to, placedAt);
  }
}
