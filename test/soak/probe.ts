/**
 * Loaded into the service by `--import`, with `--expose-gc`: tells on a port of its own, SOAK_PROBE, what nobody can see from outside. The
 * service does not know of it.
 */
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';

/** What the process holds at a moment. */
export interface ProbedProcess {
  /** Behind a collection of garbage, in bytes. */
  readonly heapUsed: number;
  readonly rss: number;
  /** Timers, sockets and the like that keep the event loop alive. */
  readonly resources: number;
  /** The most prepared statements that a connection to the database holds; of those that are idle at the moment. */
  readonly preparedStatements: number;
}

/** What of a client of `pg` tells that it could run a statement at once. */
interface ProbedClient {
  readonly readyForQuery?: boolean;
  query(text: string): Promise<{ rows: { count: number }[] }>;
  once(event: 'end', listener: () => void): unknown;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const clients = new Set<ProbedClient>();

const prototype = pg.Client.prototype as unknown as { connect: (...args: unknown[]) => unknown };
const { connect } = prototype;
prototype.connect = function (this: ProbedClient, ...args: unknown[]) {
  clients.add(this);
  this.once('end', () => clients.delete(this));
  return connect.apply(this, args);
};

async function preparedStatementsOf(client: ProbedClient): Promise<number> {
  const counted = await client.query('select count(*)::integer as count from pg_prepared_statements').catch(
    // The pool has just closed it.
    () => undefined,
  );
  return counted?.rows[0]?.count ?? 0;
}

async function probe(): Promise<ProbedProcess> {
  const idle = [...clients].filter(({ readyForQuery }) => readyForQuery === true);
  const counts = await Promise.all(idle.map(preparedStatementsOf));
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo().length;
  return { heapUsed, rss, resources, preparedStatements: Math.max(0, ...counts) };
}

createServer((_request, response) => {
  // Samples are as far apart as a connection lives that nobody uses: one that is kept may just end.
  response.setHeader('connection', 'close');
  void probe().then((probed) => response.end(JSON.stringify(probed)));
})
  .listen(Number(process.env['SOAK_PROBE']), '127.0.0.1')
  .unref();
