import type { Send } from './call.js';
import type { Endpoint } from './endpoints.js';
import type { ClientOptions } from './options.js';
import { PETS } from './pets.js';
import { openTransport } from './transport.js';

/** Declared operations, by name. */
export type Declared = Readonly<Record<string, Endpoint<unknown>>>;

/** The declared operations as functions. */
export type Bound<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends Endpoint<infer Operation> ? Operation : never;
};

/** A client of the Animal Store. Its calls reject with an AnimalStoreError. */
export class AnimalStore {
  /** The operations of the catalogue. */
  readonly pets: Bound<typeof PETS>;

  /** This field is private so that no log shows the API key in it. */
  readonly #send: Send;

  /** @throws TypeError if the address or the key is invalid */
  constructor(options: ClientOptions) {
    this.#send = openTransport(options);
    this.pets = bind(PETS, this.#send);
  }

  /**
   * Adds operations of other modules to this client: `store.extend({ orders: ORDERS })` gives it `store.orders`.
   *
   * @returns this client
   */
  extend<const Groups extends Readonly<Record<string, Declared>>>(
    groups: Groups,
  ): this & { readonly [Name in keyof Groups]: Bound<Groups[Name]> } {
    const bound = Object.entries(groups).map(([name, group]) => [name, bind(group, this.#send)]);
    return Object.assign(this, Object.fromEntries(bound) as { [Name in keyof Groups]: Bound<Groups[Name]> });
  }
}

function bind<Group extends Declared>(group: Group, send: Send): Bound<Group> {
  const bound = Object.entries(group).map(([name, endpoint]) => [name, endpoint(send)]);
  return Object.fromEntries(bound) as Bound<Group>;
}
