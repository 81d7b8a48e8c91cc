import type { PipeTransform } from '@nestjs/common';
import { parseInt64 } from '@animal-store/kernel';
import { PetNotFoundError } from '@animal-store/pets-domain';

/** Reads a petId. What is no int64 in canonical decimal form names no animal. */
export class PetIdPipe implements PipeTransform<string, bigint> {
  /** @throws PetNotFoundError */
  transform(text: string): bigint {
    const id = parseInt64(text);
    if (id === undefined) throw new PetNotFoundError();
    return id;
  }
}
