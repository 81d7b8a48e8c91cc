import type { PipeTransform } from '@nestjs/common';
import { parseInt64 } from '@animal-store/kernel';
import { RequestError } from '../errors/request.errors.js';

/** Reads an id of a path, as in `@Param('orderId', new Int64IdPipe('order'))`. What is no int64 in canonical decimal form is the id of nothing. */
export class Int64IdPipe implements PipeTransform<string, bigint> {
  /** @param noun what the id is of */
  constructor(private readonly noun: string) {}

  /** @throws RequestError */
  transform(text: string): bigint {
    const id = parseInt64(text);
    // It may be anything, such as a key in the wrong place, and is not repeated.
    if (id === undefined) throw RequestError.noSuch(this.noun);
    return id;
  }
}
