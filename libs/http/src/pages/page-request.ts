import { ApiPropertyOptional } from '@nestjs/swagger';
import type { PageQuery } from '@animal-store/kernel';
import { Satisfies, Optional, ReportedLast } from '../validation/rules.decorators.js';

const DEFAULT_LIMIT = 20;

/** The longest page. */
export const MAX_LIMIT = 100;

/** Plain decimal digits alone: `Number()` would take `0x10`, `1e1` and ` 5` as well. */
function limitRule(value: unknown): string | undefined {
  return typeof value === 'string' && /^(?:[1-9][0-9]?|100)$/.test(value)
    ? undefined
    : `must be an integer between 1 and ${MAX_LIMIT}, written once in plain decimal digits`;
}

/** What the client is told of a `limit` that is none. */
export const INVALID_LIMIT = `limit ${limitRule('') ?? ''}`;

function cursorRule(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? undefined : 'must be the one that a Link header gave';
}

/**
 * The query of an operation that lists something: a class extends it with its filters, which are ordinary members with rules
 * of their own. Pages makes the answers.
 */
export abstract class PageRequest {
  @ApiPropertyOptional({
    description: 'Maximum number of items returned.',
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
  })
  @Optional()
  @Satisfies(limitRule)
  readonly limit?: string;

  @ApiPropertyOptional({
    description:
      'Where the page begins: opaque, as the `Link` header of the page before gave it, with the same filters.',
    type: 'string',
    minLength: 1,
  })
  @Optional()
  @Satisfies(cursorRule)
  @ReportedLast()
  readonly cursor?: string;
}

/** The filters of a query: all that it has beside `limit` and `cursor`. */
export type FiltersOf<Query extends PageRequest> = Omit<Query, keyof PageRequest>;

/** What a query asks for, and apart from it the cursor, which tells the rest. */
export function readPageRequest<Query extends PageRequest>(query: Query): ReadPageRequest<Query> {
  const { limit, cursor, ...filters } = query;
  return { cursor, pageQuery: Object.assign(filters, { limit: limit === undefined ? DEFAULT_LIMIT : Number(limit) }) };
}

interface ReadPageRequest<Query extends PageRequest> {
  readonly cursor: string | undefined;
  readonly pageQuery: PageQuery & FiltersOf<Query>;
}
