/** A migration could not lock its table, because other transactions used the table all the time. */
export class TableInUseError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor(waitedMs: number, cause: unknown) {
    super(
      `A migration gave way for ${Math.round(waitedMs / 1000)} s to transactions that use its table all that time. Those that are ` +
        'open for long are in pg_stat_activity: select pid, xact_start, query from pg_stat_activity order by xact_start',
      { cause },
    );
  }
}
