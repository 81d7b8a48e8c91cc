import { join } from 'node:path';
import { createMigratedDatabase, type Client, type ServerDatabase, type StartOptions } from '@animal-store/testing';
import { OrdersModule } from '../src/index.js';

const MIGRATIONS = join(import.meta.dirname, '../src/migrations');

/** A PostgreSQL database, migrated as `npm run example:migrate` does. */
export function createOrdersDatabase(): Promise<ServerDatabase> {
  return createMigratedDatabase([MIGRATIONS]);
}

/** The service with the catalogue and orders. */
export const WITH_ORDERS: StartOptions = { features: [OrdersModule], migrations: [MIGRATIONS] };

/** An order on the wire whose integers fit a `number`. */
export interface OrderOnWire {
  readonly id: number;
  readonly petId: number;
  readonly status: string;
  readonly [field: string]: unknown;
}

/** The body of a valid order, with `changes` applied. */
export function orderBody(petId: unknown, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    petId,
    quantity: 1,
    lines: [{ sku: 'LEASH-2', quantity: 2 }],
    address: { street: '1 Harbour Road', city: 'Bristol' },
    ...changes,
  };
}

/** Sends placeOrder. @param body an object, or JSON text */
export function place(client: Client, body: object | string, key?: string): Promise<Response> {
  return client.request('/v1/store/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Sends deliverOrder or cancelOrder. */
export function close(client: Client, id: number | string, verb: 'deliver' | 'cancel'): Promise<Response> {
  return client.request(`/v1/store/orders/${id}/${verb}`, { method: 'POST' });
}

/** Adds a pet. @returns its id */
export async function addPet(client: Client, status = 'available'): Promise<number> {
  const answer = await client.createPet({ name: 'Rex', categoryId: 7, status });
  return ((await answer.json()) as { id: number }).id;
}

export async function placed(client: Client, petId: number): Promise<OrderOnWire> {
  return (await (await place(client, orderBody(petId))).json()) as OrderOnWire;
}

/** The status of a pet in the catalogue. */
export async function petStatus(client: Client, petId: number): Promise<string> {
  const { status } = (await (await client.request(`/v1/pets/${petId}`)).json()) as { status: string };
  return status;
}
