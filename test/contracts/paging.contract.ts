/* eslint-disable jest/no-export -- the contract of collections with pages: every repository has a file that runs it */
import { INT64_MAX, INT64_MIN, type PageQuery } from '@animal-store/kernel';

/** The requested page, either of all rows or only of the rows that match the filter. */
export interface AskedPage extends PageQuery {
  readonly filtered?: boolean;
}

/** A collection with pages of any kind of row. */
export interface OpenCollection {
  /** Adds a row. @returns its id */
  add(row: { readonly filtered: boolean }): Promise<bigint>;
  /** The ids of the rows on a page, in order. */
  page(query: AskedPage): Promise<readonly bigint[]>;
  close(): Promise<void>;
}

/** Larger than every limit that a test sets. */
const ALL = 5_000;

/** The contract of every collection with pages. `open` is called once, so the tests share one collection. */
export function describePaging(name: string, open: () => Promise<OpenCollection>): void {
  describe(`a page ${name}`, () => {
    let rows: OpenCollection;
    let before: bigint;
    let ids: bigint[];

    beforeAll(async () => {
      rows = await open();
      before = await newestId();
      ids = await addAll(false, true, false, true, false, true, false);
    });

    afterAll(async () => {
      await rows.close();
    });

    async function newestId(): Promise<bigint> {
      return (await rows.page({ limit: ALL })).at(-1) ?? 0n;
    }

    async function addAll(...filtered: boolean[]): Promise<bigint[]> {
      const added: bigint[] = [];
      for (const one of filtered) added.push(await rows.add({ filtered: one }));
      return added;
    }

    /** The ids of all rows after this id, read page by page until a page is shorter than the limit. */
    async function walk(afterId: bigint, limit: number, filtered = false): Promise<bigint[]> {
      const visited: bigint[] = [];
      for (;;) {
        const page = await rows.page({ limit, afterId: visited.at(-1) ?? afterId, filtered });
        visited.push(...page);
        // Without this limit, a test with pages that never end would not fail but run on.
        if (page.length < limit || visited.length > ALL) return visited;
      }
    }

    const at = (...places: number[]) => places.map((place) => ids[place]);

    test('begins with the first row of all when nothing else is said, and after an id below all', async () => {
      const [first] = (await rows.page({ limit: ALL })).toSorted(ascending);
      expect(await rows.page({ limit: 1 })).toEqual([first]);
      expect(await rows.page({ limit: 1, afterId: INT64_MIN })).toEqual([first]);
    });

    /** Places in `ids`; -1 is the row before them. */
    test.each<[what: string, limit: number, after: number, filtered: boolean, shown: readonly number[]]>([
      ['rows in ascending order of id', 7, -1, false, [0, 1, 2, 3, 4, 5, 6]],
      ['no more rows than asked for', 2, -1, false, [0, 1]],
      ['rows after the one that it is told', 2, 2, false, [3, 4]],
      ['only rows that the filter lets through', ALL, -1, true, [1, 3, 5]],
      ['as many of them as asked for', 2, -1, true, [1, 3]],
      ['those after a row that the filter does not let through', 2, 2, true, [3, 5]],
      ['those after a row that the filter lets through', 2, 3, true, [5]],
    ])('shows %s', async (_what, limit, after, filtered, shown) => {
      expect(await rows.page({ limit, afterId: ids[after] ?? before, filtered })).toEqual(at(...shown));
    });

    test('is empty after the last row, and after the largest id', async () => {
      expect(await rows.page({ limit: 20, afterId: await newestId() })).toEqual([]);
      expect(await rows.page({ limit: 20, afterId: INT64_MAX, filtered: true })).toEqual([]);
    });

    test('is answered to each of those who ask different things at the same time', async () => {
      const pages = await Promise.all([
        rows.page({ limit: 2, afterId: before }),
        rows.page({ limit: 4, afterId: before }),
        rows.page({ limit: 2, afterId: before, filtered: true }),
        rows.page({ limit: 2, afterId: ids[2] }),
      ]);
      expect(pages).toEqual([at(0, 1), at(0, 1, 2, 3), at(1, 3), at(3, 4)]);
    });

    test('shows every row that was acknowledged before it was asked for, while others read and add', async () => {
      const afterId = await newestId();
      const missed = await Promise.all(
        Array.from({ length: 16 }, async () => {
          const id = await rows.add({ filtered: false });
          return !(await rows.page({ limit: 100, afterId })).includes(id);
        }),
      );
      expect(missed).not.toContain(true);
    });

    describe('and those after it', () => {
      test('show each of 250 rows exactly once, in order, while others are being added', async () => {
        const afterId = await newestId();
        const seeded: bigint[] = [];
        for (let batch = 0; batch < 10; batch++) {
          seeded.push(...(await Promise.all(Array.from({ length: 25 }, () => rows.add({ filtered: false })))));
        }
        const adding = Promise.all(Array.from({ length: 40 }, () => rows.add({ filtered: false })));
        const visited = await walk(afterId, 20);
        await adding;
        expect(visited.slice(0, 250)).toEqual(seeded.toSorted(ascending));
      });

      test('never leave a row behind that appears later', async () => {
        const afterId = await newestId();
        const visited: bigint[] = [];
        const progress = { done: false };
        const added = Promise.all(
          Array.from({ length: 8 }, () => addAll(...Array.from({ length: 12 }, (_, index) => index % 2 === 0))),
        ).finally(() => (progress.done = true));

        for (let last = false; !last;) {
          // This walk sees every row that was added before it began.
          last = progress.done;
          visited.push(...(await walk(visited.at(-1) ?? afterId, 3)));
          await new Promise(setImmediate);
        }

        expect(visited).toEqual((await added).flat().toSorted(ascending));
      });
    });
  });
}

/** The ids of rows in JSON, with all digits. */
export function idsOf(text: string): bigint[] {
  return (JSON.parse(text, exactId) as { id: bigint }[]).map(({ id }) => id);
}

function exactId(name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return name === 'id' && typeof value === 'number' ? BigInt(source ?? value) : value;
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
