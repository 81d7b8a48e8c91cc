import { ApiPropertyOptional } from '@nestjs/swagger';
import { PET_STATUSES, petRules, type PetPageQuery, type PetStatus } from '@animal-store/pets-domain';
import { Obeys, Optional } from '@animal-store/http';
import type { PageCursors } from './page-cursors.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Plain decimal digits alone: `Number()` would take `0x10`, `1e1` and ` 5` as well. */
function limitRule(value: unknown): string | undefined {
  return typeof value === 'string' && /^(?:[1-9][0-9]?|100)$/.test(value)
    ? undefined
    : `must be an integer between 1 and ${MAX_LIMIT}, written once in plain decimal digits`;
}

function cursorRule(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? undefined : 'must be the one that a Link header gave';
}

/** The query of listPets. */
export class ListPetsQuery {
  @ApiPropertyOptional({
    description: 'Maximum number of animals returned.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
  })
  @Optional()
  @Obeys(limitRule)
  readonly limit?: string;

  @ApiPropertyOptional({ description: 'Filters by availability status.', enum: PET_STATUSES, enumName: 'PetStatus' })
  @Optional()
  @Obeys(petRules.status)
  readonly status?: PetStatus;

  @ApiPropertyOptional({
    description:
      'Where the page begins: opaque, as the `Link` header of the page before gave it, with the same `status`.',
    type: 'string',
  })
  @Optional()
  @Obeys(cursorRule)
  readonly cursor?: string;

  /**
   * @returns a promise only where there is a cursor to look into
   * @throws RequestError when the cursor is none of ours, or belongs to another filter
   */
  toPageQuery(cursors: PageCursors): PetPageQuery | Promise<PetPageQuery> {
    const limit = this.limit === undefined ? DEFAULT_LIMIT : Number(this.limit);
    const { status } = this;
    if (this.cursor === undefined) return { limit, status };
    return cursors.decode(this.cursor, status).then((afterId) => ({ limit, status, afterId }));
  }
}
