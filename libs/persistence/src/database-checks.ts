import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Logger } from '@nestjs/common';

/** The database cannot hold every text, because it is not encoded in UTF8. */
export class WrongEncodingError extends Error {
  readonly kind = 'unprocessable';

  constructor(encoding: string) {
    super(
      `The database is encoded in ${encoding} and not in UTF8, so it cannot hold every name. Make one and name it in DATABASE_URL: ` +
        "create database animal_store owner animal_store encoding 'UTF8' locale 'C.UTF-8' template template0",
    );
  }
}

/** @throws WrongEncodingError */
export async function refuseOtherEncodings(em: SqlEntityManager): Promise<void> {
  const encoding = await settingOf(em, 'server_encoding');
  if (encoding !== 'UTF8') throw new WrongEncodingError(encoding);
}

/**
 * For connections through a PgBouncer, which does not pass on the time limits of the service: warns if the server has none
 * either. A statement that the service has given up would then go on, with its locks.
 */
export async function warnWithoutTimeLimit(em: SqlEntityManager, logger: Logger): Promise<void> {
  if ((await settingOf(em, 'statement_timeout')) !== '0') return;
  logger.warn(
    'PostgreSQL has no time limit for the statements of the service, because DATABASE_PREPARED_STATEMENTS is false (a PgBouncer). ' +
      "Give the role its limits: alter role … set statement_timeout = '10s'; … set lock_timeout = '5s'; " +
      "… set idle_in_transaction_session_timeout = '10s'; … set jit = off (docs/operations.md)",
  );
}

async function settingOf(em: SqlEntityManager, name: string): Promise<string> {
  const [row] = await em.execute<{ value: string }[]>(`select current_setting('${name}') as value`);
  return row?.value ?? '';
}
