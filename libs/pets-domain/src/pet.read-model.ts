import { ReadModel } from '@animal-store/kernel';
import type { PetFilter } from './pet.js';

/** Reads the catalogue as JSON text. */
export abstract class PetReadModel extends ReadModel<PetFilter> {}
