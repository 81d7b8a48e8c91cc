import { ApiPropertyOptional } from '@nestjs/swagger';
import { Optional, Satisfies } from '../validation/rules.js';

/** The number of items of a page if the request does not set `limit`. */
export const DEFAULT_LIMIT = 20;

const MIN_LIMIT = 1;
export const MAX_LIMIT = 100;

/** What callers must have room for, in characters: a later version may make longer cursors. */
const MAX_CURSOR_LENGTH = 200;

/** Plain decimal digits only: `Number()` would also accept `0x10`, `1e1` and ` 5`. */
const DIGITS = /^[1-9][0-9]{0,8}$/;

/** @returns what `limit` must be, if the value is not a valid limit */
function limitRule(value: unknown): string | undefined {
  return typeof value === 'string' && DIGITS.test(value) && Number(value) <= MAX_LIMIT
    ? undefined
    : `must be an integer between ${MIN_LIMIT} and ${MAX_LIMIT}, written in plain decimal digits`;
}

function cursorRule(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? undefined : 'must be the one that a Link header gave';
}

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
  @Satisfies(limitRule)
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
  @Satisfies(cursorRule)
  readonly cursor?: string;
}

/** The filters of a query: all its members except `limit` and `cursor`. */
export type FiltersOf<Query extends PageRequest> = Omit<Query, keyof PageRequest>;
