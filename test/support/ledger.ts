import { withClient } from './database-client.js';

/** A pet as the database stores it. */
interface StoredPet {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

/** Reads all pets from the database itself. */
export async function readStoredPets(databaseUrl: string): Promise<StoredPet[]> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<StoredPet>('select id::text, name, status from pets order by pets.id'),
  );
  return rows;
}

/** What is known of an addition: its pet must exist, must not exist, or may exist. */
type Fate = 'acknowledged' | 'refused' | 'unknown';

interface Addition {
  readonly name: string;
  readonly status: string;
  fate: Fate;
  /** The id in the acknowledgement. */
  id?: string;
}

/** The pets of a page that starts behind the id `after`. No other pet may ever appear between `after` and `last`. */
interface ReadPage {
  readonly after: bigint;
  readonly last: bigint;
  readonly count: number;
}

/** The responses that clients received, for a comparison with the stored pets at the end. Each name belongs to one addition. */
export class Ledger {
  private readonly additions = new Map<string, Addition>();
  private readonly pages: ReadPage[] = [];

  count(fate: Fate): number {
    return [...this.additions.values()].filter((addition) => addition.fate === fate).length;
  }

  get pagesRead(): number {
    return this.pages.length;
  }

  /** Must be called before the addition is sent: from then on the pet may exist. */
  begin(name: string, status: string): void {
    this.additions.set(name, { name, status, fate: 'unknown' });
  }

  acknowledge(name: string, id: string): void {
    Object.assign(this.additions.get(name)!, { fate: 'acknowledged', id });
  }

  /** The service said that it did not add the pet. */
  refuse(name: string): void {
    this.additions.get(name)!.fate = 'refused';
  }

  readPage(page: ReadPage): void {
    this.pages.push(page);
  }

  /** The differences between the stored pets and the responses that clients received. */
  compare(stored: readonly StoredPet[]): string[] {
    const byName = Map.groupBy(stored, ({ name }) => name);
    return [
      ...[...this.additions.values()].flatMap((addition) => faultsOf(addition, byName.get(addition.name) ?? [])),
      ...stored.filter(({ name }) => !this.additions.has(name)).map(({ name }) => `${name} was sent by nobody`),
      ...this.latePets(stored.map(({ id }) => BigInt(id))),
    ];
  }

  /** Pets that appeared on a page after a client had read the page. */
  private latePets(ids: readonly bigint[]): string[] {
    const sorted = ids.toSorted((one, other) => (one < other ? -1 : 1));
    return this.pages.flatMap(({ after, last, count }) => {
      const now = positionBehind(sorted, last) - positionBehind(sorted, after);
      return now === count ? [] : [`behind ${after} were ${count} pets up to ${last}, and now there are ${now}`];
    });
  }
}

function faultsOf({ name, status, fate, id }: Addition, stored: readonly StoredPet[]): string[] {
  const [first] = stored;
  if (stored.length > 1) return [`${name} is there ${stored.length} times`];
  if (fate === 'refused' && first !== undefined) return [`${name} was refused, and is there as ${first.id}`];
  if (fate !== 'acknowledged') return [];
  if (first === undefined) return [`${name} was acknowledged as ${id}, and is lost`];
  return first.id === id && first.status === status ? [] : [`${name} is ${JSON.stringify(first)}, and not ${id}`];
}

/** The number of ids that are at most `id`. The ids are in ascending order. */
function positionBehind(ids: readonly bigint[], id: bigint): number {
  let [from, to] = [0, ids.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ids[middle]! <= id) from = middle + 1;
    else to = middle;
  }
  return from;
}
