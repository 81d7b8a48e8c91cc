import {
  INT64_MIN,
  PetReadModel,
  RenderedPet,
  type PetPageQuery,
  type Reader,
  type RenderedPage,
} from '@animal-store/pets-domain';
import { Batcher } from '../batching/batcher.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { toBigInt, type Statements } from '../statements.js';
import { FIND_PAGES, FIND_PETS } from './pet.statements.js';
import { PageText } from './page-text.js';

/** A page without `afterId` comes after every id there could be. */
const BEFORE_ALL = INT64_MIN;

/** How many pages of the latest snapshot are kept at most. */
const MAX_KEPT = 256;

/** What was rendered in one snapshot. It only grows, and is dropped as a whole. */
interface Kept {
  readonly snapshot: string | null;
  readonly texts: Map<string, PageText>;
}

/** The pages that calls of one batch want from one position, under one filter. */
interface Wanted {
  readonly key: string;
  readonly status: string | null;
  readonly afterId: bigint;
  size: number;
}

/**
 * The catalogue as JSON text, rendered by PostgreSQL, with the round trips shared between the requests that wait.
 *
 * A page is kept with the snapshot that it was rendered in. It is used again only when a statement that started after
 * the request arrived finds itself in the very same snapshot: the animals are then the same, and need not be sent again.
 */
export class BatchedPetReadModel extends PetReadModel {
  private readonly byId: Batcher<bigint, RenderedPet | undefined>;
  private readonly pages: Batcher<PetPageQuery, RenderedPage>;
  private kept: Kept = { snapshot: null, texts: new Map() };

  constructor(
    private readonly statements: Statements,
    limits: BatchingLimits,
  ) {
    super();
    this.byId = new Batcher({ ...limits, writes: false, run: (ids) => this.readPets(ids) });
    this.pages = new Batcher({ ...limits, writes: false, run: (queries) => this.readPages(queries) });
  }

  override findById(id: bigint, reader?: Reader): Promise<RenderedPet | undefined> {
    return this.byId.submit(id, reader);
  }

  override findPage(query: PetPageQuery, reader?: Reader): Promise<RenderedPage> {
    return this.pages.submit(query, reader);
  }

  private async readPets(ids: readonly bigint[]): Promise<(RenderedPet | undefined)[]> {
    const rows = await this.statements.run(FIND_PETS, [ids.map(String)]);
    const pets = new Map(rows.map(([id, json]) => [toBigInt(id), new RenderedPet(json as string)]));
    return ids.map((id) => pets.get(id));
  }

  private async readPages(queries: readonly PetPageQuery[]): Promise<RenderedPage[]> {
    const wanted = new Map<string, Wanted>();
    for (const query of queries) {
      const key = keyOf(query);
      const { status = null, afterId = BEFORE_ALL, limit } = query;
      const known = wanted.get(key);
      // One more than the largest page shows, to know whether more follow.
      if (known === undefined) wanted.set(key, { key, status, afterId, size: limit + 1 });
      else known.size = Math.max(known.size, limit + 1);
    }
    const texts = await this.readTexts([...wanted.values()]);
    return queries.map((query) => {
      const text = texts.get(keyOf(query));
      if (text === undefined) throw new Error(`The database did not answer for the page ${keyOf(query)}`);
      return text.page(query.limit);
    });
  }

  private async readTexts(wanted: readonly Wanted[]): Promise<Map<string, PageText>> {
    // What the statement compares with; `this.kept` may be another one by the time it is back.
    const kept = this.kept;
    const isKept = ({ key, size }: Wanted) => (kept.texts.get(key)?.size ?? 0) >= size;
    const rows = await this.statements.run(FIND_PAGES, [
      wanted.map(({ status }) => status),
      wanted.map(({ afterId }) => String(afterId)),
      wanted.map(({ size }) => size),
      wanted.map(isKept),
      kept.snapshot,
    ]);

    const snapshot = (rows[0]?.[1] ?? null) as string | null;
    const texts = new Map<string, PageText>();
    const unchanged = snapshot !== null && snapshot === kept.snapshot;
    for (const [position, , json] of rows) {
      const want = wanted[Number(position) - 1];
      if (want === undefined) continue;
      const text = unchanged && isKept(want) ? kept.texts.get(want.key) : undefined;
      texts.set(want.key, text ?? new PageText((json ?? '') as string, want.size));
    }
    this.keep(snapshot, texts);
    return texts;
  }

  private keep(snapshot: string | null, texts: ReadonlyMap<string, PageText>): void {
    if (snapshot !== this.kept.snapshot || this.kept.texts.size >= MAX_KEPT) this.kept = { snapshot, texts: new Map() };
    if (snapshot === null) return;
    for (const [key, text] of texts) {
      if ((this.kept.texts.get(key)?.size ?? 0) < text.size) this.kept.texts.set(key, text);
    }
  }
}

function keyOf({ status, afterId }: PetPageQuery): string {
  return `${status ?? ''}/${afterId ?? BEFORE_ALL}`;
}
