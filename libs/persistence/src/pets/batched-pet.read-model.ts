import { INT64_MIN, Serialized, type Cancellation, type SerializedPage } from '@animal-store/kernel';
import { PetReadModel, type PetPageQuery } from '@animal-store/pets-domain';
import { Batcher } from '../batching/batcher.js';
import type { BatcherLoad } from '../batching/batcher-load.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import type { Statements } from '../statements.js';
import { FIND_PAGES, FIND_PETS } from './pet.statements.js';
import { PageText } from './page-text.js';

/** A page without `afterId` comes after every id there could be. */
const BEFORE_ALL = INT64_MIN;

/** From how many positions pages are kept at most. What is kept of each is bounded by {@link PageText}. */
const MAX_KEPT = 32;

/** A page as it was last read, and the snapshot that it was read in. */
interface Kept {
  readonly snapshot: string;
  readonly text: PageText;
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
 * Where they were sent again and turn out the same, what was worked out from them before is used again.
 */
export class BatchedPetReadModel extends PetReadModel {
  private readonly byId: Batcher<bigint, Serialized | undefined>;
  private readonly pages: Batcher<PetPageQuery, SerializedPage>;
  private readonly kept = new Map<string, Kept>();
  private latestSnapshot: string | null = null;

  constructor(
    private readonly statements: Statements,
    limits: BatchingLimits,
  ) {
    super();
    this.byId = new Batcher({ ...limits, writes: false, run: (ids) => this.readPets(ids) });
    this.pages = new Batcher({ ...limits, writes: false, run: (queries) => this.readPages(queries) });
  }

  /** For whoever measures them. */
  get batchers(): Readonly<Record<string, BatcherLoad>> {
    return { find_pets: this.byId, find_pages: this.pages };
  }

  override findById(id: bigint, signal?: Cancellation): Promise<Serialized | undefined> {
    return this.byId.submit(id, signal);
  }

  override findPage(query: PetPageQuery, signal?: Cancellation): Promise<SerializedPage> {
    return this.pages.submit(query, signal);
  }

  private async readPets(ids: readonly bigint[]): Promise<(Serialized | undefined)[]> {
    const asText = ids.map(String);
    const rows = await this.statements.run(FIND_PETS, [asText]);
    const pets = new Map(rows.map(([id, json]) => [String(id), new Serialized(json as string)]));
    return asText.map((id) => pets.get(id));
  }

  private async readPages(queries: readonly PetPageQuery[]): Promise<SerializedPage[]> {
    const wanted = new Map<string, Wanted>();
    for (const query of queries) {
      const key = keyOf(query);
      const { status = null, afterId = BEFORE_ALL, limit } = query;
      const known = wanted.get(key);
      // One more than the largest page shows, to know whether more follow. As many as before, to compare with.
      const size = Math.max(limit + 1, (known ?? this.kept.get(key)?.text)?.size ?? 0);
      if (known === undefined) wanted.set(key, { key, status, afterId, size });
      else known.size = size;
    }
    const texts = await this.readTexts([...wanted.values()]);
    return queries.map((query) => {
      const text = texts.get(keyOf(query));
      if (text === undefined) throw new Error(`The database did not answer for the page ${keyOf(query)}`);
      return text.page(query.limit);
    });
  }

  private async readTexts(wanted: readonly Wanted[]): Promise<Map<string, PageText>> {
    // What the statement compares with; there may be other ones by the time it is back.
    const latest = this.latestSnapshot;
    const kept = wanted.map(({ key, size }) => this.keptIn(latest, key, size));
    const rows = await this.statements.run(FIND_PAGES, [
      wanted.map(({ status }) => status),
      wanted.map(({ afterId }) => String(afterId)),
      wanted.map(({ size }) => size),
      kept.map((text) => text !== undefined),
      latest,
    ]);

    const snapshot = (rows[0]?.[1] ?? null) as string | null;
    const texts = new Map<string, PageText>();
    for (const [position, , json] of rows) {
      const index = Number(position) - 1;
      const want = wanted[index];
      if (want === undefined) continue;
      const unchanged = snapshot === latest ? kept[index] : undefined;
      texts.set(want.key, unchanged ?? this.textOf(want, (json ?? '') as string));
    }
    this.keep(snapshot, texts);
    return texts;
  }

  /** The page that was read in this snapshot, if it is kept. */
  private keptIn(snapshot: string | null, key: string, size: number): PageText | undefined {
    const kept = this.kept.get(key);
    return kept?.snapshot === snapshot && kept.text.size >= size ? kept.text : undefined;
  }

  /** The text, as the same object as before if it is the same text: its pages need not be cut out and tagged anew. */
  private textOf({ key, size }: Wanted, json: string): PageText {
    const before = this.kept.get(key)?.text;
    return before?.json === json && before.size === size ? before : new PageText(json, size);
  }

  private keep(snapshot: string | null, texts: ReadonlyMap<string, PageText>): void {
    this.latestSnapshot = snapshot;
    if (snapshot === null) return;
    for (const [key, text] of texts) {
      if (this.kept.size >= MAX_KEPT && !this.kept.has(key)) this.kept.clear();
      this.kept.set(key, { snapshot, text });
    }
  }
}

function keyOf({ status, afterId }: PetPageQuery): string {
  return `${status ?? ''}/${afterId ?? ''}`;
}
