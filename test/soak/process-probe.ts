/**
 * Loaded into the service by `--import`, with `--expose-gc`. Reports on a separate port, SOAK_PROBE, what cannot be seen from outside. The
 * service does not know of the probe.
 */
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';

/** What the process holds at one moment. */
export interface ProbedProcess {
  /** After a garbage collection, in bytes. */
  readonly heapUsed: number;
  readonly rss: number;
  /** The number of timers, sockets and other resources that keep the event loop alive. */
  readonly resources: number;
  /** The largest number of prepared statements on a connection to the database; only idle connections are counted. */
  readonly preparedStatements: number;
}

/** The part of a `pg` client that shows whether the client can run a statement at once. */
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
    // The pool has just closed the connection.
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
  // The interval between samples equals the idle timeout of a connection: a connection that is kept may close at that moment.
  response.setHeader('connection', 'close');
  void probe().then((probed) => response.end(JSON.stringify(probed)));
})
  .listen(Number(process.env['SOAK_PROBE']), '127.0.0.1')
  .unref();
