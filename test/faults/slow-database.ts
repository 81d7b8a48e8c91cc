import { setTimeout as delay } from 'node:timers/promises';
import { Statements } from '../../libs/persistence/src/statements.js';
import type { RunningApp } from '../support/running-app.js';

/**
 * Delays every statement of the hot path and every result by a random time, as a network does. Then statements overlap,
 * overtake each other, and are in flight when a request arrives.
 *
 * @param maxMs the longest delay in each direction, in milliseconds
 */
export function slowDatabase({ app }: RunningApp, maxMs: number): void {
  const statements = app.get(Statements, { strict: false });
  for (const name of ['run', 'read'] as const) {
    const send = statements[name].bind(statements);
    statements[name] = async (statement, values) => {
      await delay(Math.random() * maxMs);
      const rows = await send(statement, values);
      await delay(Math.random() * maxMs);
      return rows;
    };
  }
}
