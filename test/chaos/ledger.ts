/** An animal as it is in the database. */
export interface StoredPet {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

/** What is known of an addition: whether its pet has to be there, must not be there, or may be. */
type Fate = 'acknowledged' | 'refused' | 'unknown';

interface AddOnceResult {
  readonly name: string;
  readonly status: string;
  fate: Fate;
  /** As it was acknowledged. */
  id?: string;
}

/** The pets of a page, which followed `after`: all there ever will be up to its last. */
interface ReadPage {
  readonly after: bigint;
  readonly last: bigint;
  readonly count: number;
}

/** What clients were told, to be compared with what is there in the end. Every name is sent by one addition. */
export class Ledger {
  readonly additions = new Map<string, AddOnceResult>();
  private readonly pages: ReadPage[] = [];

  count(fate: Fate): number {
    return [...this.additions.values()].filter((addition) => addition.fate === fate).length;
  }

  get pagesRead(): number {
    return this.pages.length;
  }

  /** To be called before it is sent: from now on the pet may be there. */
  begin(name: string, status: string): void {
    this.additions.set(name, { name, status, fate: 'unknown' });
  }

  acknowledge(name: string, id: string): void {
    Object.assign(this.additions.get(name)!, { fate: 'acknowledged', id });
  }

  /** The service said that it did not do it. */
  refuse(name: string): void {
    this.additions.get(name)!.fate = 'refused';
  }

  readPage(page: ReadPage): void {
    this.pages.push(page);
  }

  /** What is not as clients were told. */
  compare(stored: readonly StoredPet[]): string[] {
    const byName = Map.groupBy(stored, ({ name }) => name);
    return [
      ...[...this.additions.values()].flatMap((addition) => faultsOf(addition, byName.get(addition.name) ?? [])),
      ...stored.filter(({ name }) => !this.additions.has(name)).map(({ name }) => `${name} was sent by nobody`),
      ...this.latePets(stored.map(({ id }) => BigInt(id))),
    ];
  }

  /** Pets that appeared behind a client that walked the pages. */
  private latePets(ids: readonly bigint[]): string[] {
    const sorted = ids.toSorted((one, other) => (one < other ? -1 : 1));
    return this.pages.flatMap(({ after, last, count }) => {
      const now = positionBehind(sorted, last) - positionBehind(sorted, after);
      return now === count ? [] : [`behind ${after} were ${count} pets up to ${last}, and now there are ${now}`];
    });
  }
}

function faultsOf({ name, status, fate, id }: AddOnceResult, stored: readonly StoredPet[]): string[] {
  const [first] = stored;
  if (stored.length > 1) return [`${name} is there ${stored.length} times`];
  if (fate === 'refused' && first !== undefined) return [`${name} was refused, and is there as ${first.id}`];
  if (fate !== 'acknowledged') return [];
  if (first === undefined) return [`${name} was acknowledged as ${id}, and is lost`];
  return first.id === id && first.status === status ? [] : [`${name} is ${JSON.stringify(first)}, and not ${id}`];
}

/** How many of the ids, which are in order, are `id` or come before it. */
function positionBehind(ids: readonly bigint[], id: bigint): number {
  let [from, to] = [0, ids.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ids[middle]! <= id) from = middle + 1;
    else to = middle;
  }
  return from;
}
