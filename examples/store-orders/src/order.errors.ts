/** No order has this id. */
export class OrderNotFoundError extends Error {
  readonly kind = 'not_found';
  readonly code = 'not_found';

  constructor(id: bigint) {
    super(`There is no order with the id ${id}`);
  }
}

/** The order is already delivered or cancelled: its status no longer changes. */
export class OrderClosedError extends Error {
  readonly kind = 'conflict';
  readonly code = 'order_closed';

  constructor({ id, status }: { readonly id: bigint; readonly status: string }, transition: string) {
    super(`The order ${id} is ${status}: it is too late to ${transition} it`);
  }
}
