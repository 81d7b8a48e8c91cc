import pg from 'pg';
import type { ServerDatabase } from '../../support/databases.js';
import type { RawAnswer } from '../../support/raw-http.js';
import { startApp, type RunningApp } from '../../support/running-app.js';
import { SqlExecutor } from '../../../libs/persistence/src/sql/sql-executor.js';
import type { HttpRequest } from '../http-request.js';
import { Transcript } from '../transcript.js';

/** Instances of the service on one database, which can be restarted. */
export class Instances {
  private readonly apps: Promise<RunningApp>[];
  private readonly sql: Promise<pg.Client>;
  /** Lets an instance send no statement any more. */
  private readonly silence = new Map<RunningApp, () => void>();
  /** What was done since the catalogue was emptied. */
  transcript = new Transcript();
  /** What {@link reset} did, for the script. */
  preparation = '';
  firstId = 1n;

  /** @param prepare is done to every instance when it has started */
  constructor(
    private readonly database: ServerDatabase,
    count: number,
    private readonly prepare: (app: RunningApp) => void = () => undefined,
  ) {
    this.sql = connected(database);
    this.apps = Array.from({ length: count }, () => this.start());
  }

  get count(): number {
    return this.apps.length;
  }

  async port(instance: number): Promise<number> {
    return (await this.apps[instance]!).port;
  }

  async send(instance: number, request: HttpRequest): Promise<RawAnswer> {
    return await this.transcript.send(await this.port(instance), request, instance);
  }

  /** Those who call meanwhile wait for it; those who are being answered may lose their connection. */
  async restart(instance: number): Promise<void> {
    this.transcript.noteRestart(instance);
    const before = this.apps[instance]!;
    const after = before.then(async (app) => {
      app.app.getHttpServer().closeAllConnections();
      this.silence.get(app)?.();
      await app.close();
      return await this.start();
    });
    this.apps[instance] = after;
    await after;
  }

  /** Empties the catalogue. @param firstId of the pets that come */
  async reset(firstId: bigint): Promise<void> {
    const statements = `truncate pets, idempotency_keys; alter sequence pets_id_seq restart with ${firstId}`;
    await (await this.sql).query(statements);
    this.transcript = new Transcript();
    this.firstId = firstId;
    this.preparation = `Before: psql "$DATABASE_URL" -c '${statements}'`;
  }

  async close(): Promise<void> {
    for (const app of this.apps) await (await app).close();
    await (await this.sql).end();
  }

  private async start(): Promise<RunningApp> {
    const app = await startApp(this.database);
    this.silence.set(app, silencer(app));
    this.prepare(app);
    return app;
  }
}

async function connected({ url }: ServerDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/**
 * A process that has ended sends nothing. An application that was closed in this one goes on with the additions that waited,
 * though nobody is answered: they would turn up in the next run.
 */
function silencer({ app }: RunningApp): () => void {
  const statements = app.get(SqlExecutor, { strict: false });
  const run = statements.run.bind(statements);
  let isGone = false;
  statements.run = (statement, values) =>
    isGone ? Promise.reject(new InstanceGoneError('This instance has ended')) : run(statement, values);
  return () => {
    isGone = true;
  };
}

/** To the clients that still come it is the same as a database that is away. */
class InstanceGoneError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';
}
