import { setTimeout as delay } from 'node:timers/promises';
import { SqlExecutor } from '../../libs/persistence/src/sql/sql-executor.js';
import type { RunningApp } from './running-app.js';

/**
 * Lets every statement of the hot path, and every answer to one, take a while of its own, as over a network: so that
 * statements overlap, overtake each other, and are under way when a request comes.
 *
 * @param maxMs of each way at most, in milliseconds
 */
export function slowDatabase({ app }: RunningApp, maxMs: number): void {
  const statements = app.get(SqlExecutor, { strict: false });
  const run = statements.run.bind(statements);
  statements.run = async (statement, values) => {
    await delay(Math.random() * maxMs);
    const rows = await run(statement, values);
    await delay(Math.random() * maxMs);
    return rows;
  };
}
