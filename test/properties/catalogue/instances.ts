import pg from 'pg';
import type { ServerDatabase } from '../../support/databases.js';
import type { RawAnswer } from '../../support/raw-http.js';
import { startApp, type RunningApp } from '../../support/running-app.js';
import { SqlExecutor } from '../../../libs/persistence/src/sql/sql-executor.js';
import { Transcript, type HttpRequest } from '../http-request.js';

/** Instances of the service on one database. Each instance can be restarted. */
export class Instances {
  private readonly apps: Promise<RunningApp>[];
  private readonly sql: Promise<pg.Client>;
  /** For each instance, the function that prevents all further statements. */
  private readonly silence = new Map<RunningApp, () => void>();
  /** The steps since the catalogue was emptied. */
  transcript = new Transcript();
  firstId = 1n;

  /** @param prepare is called with every instance after its start */
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

  /** Calls during the restart wait for its end; calls in flight may lose their connection. */
  async restart(instance: number): Promise<void> {
    this.transcript.note(`restart of instance ${instance + 1}`);
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

  /** Empties the catalogue. @param firstId the id of the next pet */
  async reset(firstId: bigint): Promise<void> {
    const client = await this.sql;
    await client.query(`truncate pets, idempotency_keys; alter sequence pets_id_seq restart with ${firstId}`);
    this.transcript = new Transcript();
    this.firstId = firstId;
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
 * A process that has ended sends no statements. An application that was closed in this process continues with its waiting additions,
 * although no client gets an answer: the pets would appear in the next run.
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

/** For clients that still send requests, this error looks like an unavailable database. */
class InstanceGoneError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';
}
