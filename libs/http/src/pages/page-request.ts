import { ApiPropertyOptional } from '@nestjs/swagger';
import { Matches, MinLength } from 'class-validator';
import { AS_DIGITS, Optional } from '../validation/rules.js';

/** The number of items of a page if the request does not set `limit`. */
export const DEFAULT_LIMIT = 20;

const MIN_LIMIT = 1;
export const MAX_LIMIT = 100;

/** {@link MIN_LIMIT} to {@link MAX_LIMIT} in plain decimal digits: `Number()` would also accept `0x10`, `1e1` and ` 5`. */
const LIMIT = /^(?:[1-9][0-9]?|100)$/;

/** What callers must have room for, in characters: a later version may make longer cursors. */
const MAX_CURSOR_LENGTH = 200;

/**
 * The query of an operation that lists items. A class extends it with its filters: ordinary members with their own
 * rules. `Pages` makes the responses.
 */
export abstract class PageRequest {
  @ApiPropertyOptional({
    description: 'Maximum number of items returned.',
    type: 'integer',
    format: 'int32',
    minimum: MIN_LIMIT,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    example: DEFAULT_LIMIT,
  })
  @Optional()
  @Matches(LIMIT, { message: `$property must be an integer between ${MIN_LIMIT} and ${MAX_LIMIT}${AS_DIGITS}` })
  readonly limit?: string;

  @ApiPropertyOptional({
    description:
      'Where the page begins. Take it from the `Link` header of the previous page, and send it with the same filters.',
    // No example: a cursor is valid only where it was made, and imported collections send examples.
    type: 'string',
    minLength: 1,
    maxLength: MAX_CURSOR_LENGTH,
  })
  @Optional()
  @MinLength(1, { message: '$property must be the one that a Link header gave' })
  readonly cursor?: string;
}

/** The filters of a query: all its members except `limit` and `cursor`. */
export type FiltersOf<Query extends PageRequest> = Omit<Query, keyof PageRequest>;
