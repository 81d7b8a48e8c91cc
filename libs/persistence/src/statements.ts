import { PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Logger } from '@nestjs/common';
import { rootCauseMessage } from '@animal-store/kernel';
import { CompiledQuery } from 'kysely';
import { isDatabaseUnavailable } from './errors/database-errors.js';
import type { CurrentTransaction } from './transactions/mikro-orm-unit-of-work.js';

/** SQL with parameters `$1`, `$2` and so on. PostgreSQL parses and plans it once for each connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Texts, numbers, bigints, booleans, null, or arrays of these. */
export type Values = readonly unknown[];

/** The columns of a row, in their order: a `bigint` as text or as a number, a `boolean` as a boolean. */
export type Row = readonly unknown[];

/** How long reads go to the primary after the address of reads could not be reached, in milliseconds. */
const RETRY_AFTER_MS = 1_000;

/** Runs SQL that is written by hand, for what is frequent. MikroORM reads and writes entities. */
export class Statements {
  /** Until when all reads go to the primary (`performance.now()`). */
  private usesPrimaryUntil = -Infinity;

  constructor(
    private readonly root: SqlEntityManager,
    private readonly current: CurrentTransaction,
    private readonly countError: (error: unknown) => void,
  ) {}

  get areInTransaction(): boolean {
    return this.current.isOpen;
  }

  /** Runs on the primary, in the current transaction if there is one. */
  async run(statement: Statement, values: Values): Promise<readonly Row[]> {
    const primary = this.root.getConnection();
    if (this.current.isOpen || !(primary instanceof PostgreSqlConnection))
      return await this.runByEntityManager(statement, values);
    try {
      return await this.send(primary, statement, values);
    } catch (error) {
      this.countError(error);
      throw error;
    }
  }

  /**
   * As {@link run}, for reads: outside of a transaction the servers of `DATABASE_READ_URL` run them, and the primary while
   * these cannot (ADR 0010).
   */
  async read(statement: Statement, values: Values): Promise<readonly Row[]> {
    // Without a replica this is the connection of the primary.
    const replica = this.root.getConnection('read');
    const hasReplica = replica instanceof PostgreSqlConnection && replica !== this.root.getConnection();
    if (!hasReplica || this.current.isOpen || performance.now() < this.usesPrimaryUntil)
      return await this.run(statement, values);
    try {
      return await this.send(replica, statement, values);
    } catch (error) {
      // After any error, because a standby may cancel reads and gets migrations late.
      if (isDatabaseUnavailable(error) && performance.now() >= this.usesPrimaryUntil) {
        this.usesPrimaryUntil = performance.now() + RETRY_AFTER_MS;
        const reason = rootCauseMessage(error);
        new Logger('Database').warn(`Reads go to the primary: DATABASE_READ_URL cannot be reached (${reason})`);
      }
      return await this.run(statement, values);
    }
  }

  private async send(connection: PostgreSqlConnection, { name, text }: Statement, values: Values): Promise<Row[]> {
    const pool = await connection.getNativeClient();
    return (await pool.query<unknown[]>({ name, text, values: [...values], rowMode: 'array' })).rows;
  }

  /** In a transaction, and on the embedded database. Rows are objects there, so columns need different names. */
  private async runByEntityManager({ text }: Statement, values: Values): Promise<Row[]> {
    const query = CompiledQuery.raw(text, [...values]);
    const { rows } = await this.current.entityManager.getKysely().executeQuery<object>(query);
    return rows.map((row) => Object.values(row) as Row);
  }
}
