import { NotFoundException, type PipeTransform } from '@nestjs/common';
import { parseInt64 } from '@animal-store/kernel';

/**
 * Parses an id in a path, as in `@Param('orderId', new Int64IdPipe('order'))`. A text that is not an int64 in canonical
 * decimal form identifies nothing: 404.
 */
export class Int64IdPipe implements PipeTransform<string, bigint> {
  /** @param noun the thing that the id identifies */
  constructor(private readonly noun: string) {}

  /** @throws NotFoundException */
  transform(text: string): bigint {
    const id = parseInt64(text);
    // The text may be anything, even an API key in the wrong place. The message does not repeat it.
    if (id === undefined)
      throw new NotFoundException(`There is no ${this.noun} with this id: an id is a 64-bit integer in decimal digits`);
    return id;
  }
}
