import { MikroORM } from '@mikro-orm/core';
import type { PgliteConnection } from '@mikro-orm/pglite';
import type { PostgreSqlConnection } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { BatchTracing } from './batching/batch-tracing.js';
import type { BatcherLoad } from './batching/batcher-load.js';

/** The connections of the pool. */
export interface PoolLoad {
  readonly max: number;
  readonly total: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
}

/** How busy the way to the database is, for whoever measures and traces it. */
@Injectable()
export class DatabaseLoad {
  private readonly watched = new Map<string, BatcherLoad>();
  private tracing: BatchTracing | undefined;

  constructor(private readonly orm: MikroORM) {}

  /** The batchers, by what travels in them. */
  get batchers(): ReadonlyMap<string, BatcherLoad> {
    return this.watched;
  }

  /** @param batchers by what travels in them */
  watch(batchers: Readonly<Record<string, BatcherLoad>>): void {
    for (const [name, batcher] of Object.entries(batchers)) {
      batcher.tracing = this.tracing;
      this.watched.set(name, batcher);
    }
  }

  /** Traces all batches of the application from now on, those of batchers to come as well. */
  traceBatches(tracing: BatchTracing): void {
    this.tracing = tracing;
    for (const batcher of this.watched.values()) batcher.tracing = tracing;
  }

  /** The pool; `undefined` while the server was never reached, and on the embedded database, which has none. */
  async pool(): Promise<PoolLoad | undefined> {
    const connection = this.orm.em.getConnection() as unknown as PostgreSqlConnection | PgliteConnection;
    const client = await connection.getNativeClient().catch(() => undefined);
    if (client === undefined || 'waitReady' in client) return undefined;
    const { options, totalCount, idleCount, waitingCount } = client;
    return { max: options.max, total: totalCount, idle: idleCount, waiting: waitingCount };
  }
}
