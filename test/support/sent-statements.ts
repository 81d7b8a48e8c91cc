import { createRequire } from 'node:module';
import pg from 'pg';

const { jest } = import.meta;

/** A statement as it is passed to the PostgreSQL driver. */
export interface SentStatement {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
}

/** MikroORM may depend on another copy of the driver. */
const drivers = new Set([
  pg,
  createRequire(createRequire(import.meta.url).resolve('@mikro-orm/postgresql'))('pg') as typeof pg,
]);

/** Every statement that this process sends to PostgreSQL, with any adapter, while the work runs. */
export async function sentBy(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const spies = [...drivers].map((driver) => jest.spyOn(driver.Client.prototype, 'query'));
  await work();
  const calls = spies.flatMap((spy) => spy.mock.calls as unknown[][]);
  for (const spy of spies) spy.mockRestore();
  return calls.map(([query, values]) => (typeof query === 'string' ? { text: query, values } : query) as SentStatement);
}
