import type { ClientOptions } from './options.js';
import { petsOf, type Pets } from './pets.js';
import { openTransport } from './transport.js';

/** A client of the Animal Store. Its calls reject with an AnimalStoreError. */
export class AnimalStore {
  /** The operations of the catalogue. */
  readonly pets: Pets;

  /** @throws TypeError if the address or the key is missing or invalid */
  constructor(options: ClientOptions) {
    // The options are absent in programs that no compiler has seen.
    this.pets = petsOf(openTransport(Object(options) as ClientOptions));
  }
}
