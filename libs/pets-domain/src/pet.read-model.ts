import { ReadModel } from '@animal-store/kernel';
import type { PetFilter } from './pet.repository.js';

/** The catalogue as text. */
export abstract class PetReadModel extends ReadModel<PetFilter> {}
