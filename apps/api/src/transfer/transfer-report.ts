/** The interval of progress messages, in milliseconds. */
const EVERY_MS = 2_000;

const MEBIBYTE = 1024 ** 2;

/** Reports the progress of a command, and its result at the end. */
export class TransferReport {
  private readonly began = performance.now();
  private reported = this.began;

  /** @param verb the verb for rows, as in `Exported` */
  constructor(
    private readonly verb: string,
    private readonly tell: (sentence: string) => void,
  ) {}

  readonly progress = (rows: number, table: string): void => {
    const now = performance.now();
    if (now - this.reported < EVERY_MS) return;
    this.reported = now;
    this.tell(`${this.verb} ${counted(rows, 'row')} so far, now of ${table}`);
  };

  /** @param more the end of the message */
  done(rows: number, tables: number, more: string): void {
    const seconds = ((performance.now() - this.began) / 1000).toFixed(1);
    const memory = Math.round((process.resourceUsage().maxRSS * 1024) / MEBIBYTE);
    this.tell(
      `${this.verb} ${counted(rows, 'row')} of ${counted(tables, 'table')} in ${seconds} s, with ${memory} MiB of memory at most${more}`,
    );
  }
}

/** As in `1 row` and `1,000 rows`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The time without a statement of a server that has the embedded database open. */
export function pauseOf(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : `. The server that works on it waited for ${milliseconds} ms`;
}
