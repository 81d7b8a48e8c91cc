/** The number of keys with their own label. Each key has a time series for every class of status. */
const MAX_KEYS = 100;
const OTHER = 'other';

/** By the first digit of the status; 0 is a request whose client disconnected before the response was sent. */
const CLASSES: Readonly<Record<number, string>> = { 0: 'aborted', 2: '2xx', 3: '3xx', 4: '4xx', 5: '5xx' };
const LAST_CLASS = 5;

/** Counts the requests of API keys by the class of their status. Keys with the same name count as one key. */
export class CallerCounts {
  private readonly counts = new Map<string, number[]>();
  private readonly others: number[] = newCounts();

  /** @param status 0 if the client disconnected before the response was sent */
  add(keyName: string, status: number): void {
    const counts = this.counts.get(keyName) ?? this.open(keyName);
    const index = Math.min(Math.floor(status / 100), LAST_CLASS);
    counts[index] = (counts[index] ?? 0) + 1;
  }

  /** A count for each key and class, also if it is 0. */
  *all(): Iterable<{
    readonly labels: { readonly key: string; readonly status_class: string };
    readonly count: number;
  }> {
    for (const [key, counts] of [...this.counts, [OTHER, this.others] as const]) {
      for (const [index, statusClass] of Object.entries(CLASSES)) {
        yield { labels: { key, status_class: statusClass }, count: counts[Number(index)] ?? 0 };
      }
    }
  }

  private open(keyName: string): number[] {
    if (this.counts.size >= MAX_KEYS || keyName === OTHER) return this.others;
    const counts = newCounts();
    this.counts.set(keyName, counts);
    return counts;
  }
}

function newCounts(): number[] {
  return new Array<number>(LAST_CLASS + 1).fill(0);
}
