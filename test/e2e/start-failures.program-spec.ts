import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from '../support/built-program.js';
import { createEmbeddedDatabase, createMigratedDatabase, createServerDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { withClient } from '../support/database-client.js';

const AWAY = 'postgresql://127.0.0.1:1/none';
const PRODUCTION = { NODE_ENV: 'production', LOG_LEVEL: 'info' };

/** The programs that a test started and that must be ended. */
const started: BuiltProgram[] = [];

afterEach(async () => {
  for (const program of started.splice(0)) await program.kill('SIGKILL');
});

function start(...of: ConstructorParameters<typeof BuiltProgram>): BuiltProgram {
  const program = new BuiltProgram(...of);
  started.push(program);
  return program;
}

async function untilPrinted(program: BuiltProgram, text: string): Promise<void> {
  for (let waited = 0; waited < 10_000 && !program.printed.includes(text); waited += 50) await delay(50);
  expect(program.printed).toContain(text);
}

/** The messages of one context in a JSON log. */
function messagesOf(program: BuiltProgram, context: string): unknown[] {
  const lines = program.printed.trimEnd().split('\n');
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .flatMap((line) => (line['context'] === context ? [line['msg']] : []));
}

describe('a start with wrong settings', () => {
  const WRONG = {
    NODE_ENV: 'production',
    PORT: 'http',
    LOG_LEVEL: 'loud',
    DATABASE_READ_URL: 'postgresql://me:s3cret@db/pets?sslmode=require&sslrootcert=/none',
    DATABSE_URL: 'postgresql://me:s3cret@db/pets',
  };

  test.each([
    ['the server', 'main', []],
    ['db:migrate', 'cli/migrate', []],
    ['keys', 'cli/keys', ['list']],
  ] as const)('tells all of them at once, and the misspelled ones: %s', async (_name, program, words) => {
    const wrong = start(program, WRONG, [...words]);
    expect(await wrong.ended()).toBe(1);
    const faults = wrong.printed.split('\n').slice(1, -1);
    expect(faults.map((line) => line.trim().split(/[ ,]/)[0])).toEqual([
      'PORT',
      'DATABASE_READ_URL',
      'LOG_LEVEL',
      'DATABASE_URL',
      'DATABSE_URL',
    ]);
    expect(wrong.printed).not.toContain('s3cret');
  });

  test('warns once of a setting that is none where it starts, and names the one that was meant', async () => {
    const server = start('main', { ...PRODUCTION, DATABASE_URL: AWAY, RATE_LIMIT_PER_MIN: '5' });
    await server.listening();
    await untilPrinted(server, 'Not ready');
    expect(messagesOf(server, 'Settings')).toEqual([
      'RATE_LIMIT_PER_MIN is not a setting and has no effect. Did you mean RATE_LIMIT_PER_MINUTE?',
    ]);
  });
});

describe('a program', () => {
  const NOWHERE = { DATABASE_URL: 'postgresql://me:s3cret@127.0.0.1:1/none' };

  test.each<[string, string[], Record<string, string>, number, string]>([
    ['main', [], { NODE_ENV: 'production' }, 1, 'DATABASE_URL must be set'],
    ['cli/keys', ['rotate', '--help'], NOWHERE, 0, 'Usage: keys rotate'],
    ['cli/migrate', ['--dry-run'], {}, 1, '--dry-run'],
    ['cli/migrate', [], {}, 1, 'DATABASE_URL must be set'],
    ['cli/migrate', [], NOWHERE, 1, 'db:migrate: connect ECONNREFUSED'],
  ])('%s %j ends with its code, says why, and tells no password', async (name, words, variables, code, said) => {
    const program = start(name as 'main', variables, words);
    expect(await program.ended()).toBe(code);
    expect(program.printed).toContain(said);
    expect(program.printed).not.toContain('s3cret');
  });
});

describe('npm run db:migrate', () => {
  test('ends with 1 when a migration fails, and says why', async () => {
    const database = await createServerDatabase();
    await withClient(database.url, (client) => client.query('create table pets (id text)'));
    const migration = start('cli/migrate', database.environment);
    expect(await migration.ended()).toBe(1);
    await database.remove();
    expect(migration.printed).toMatch(/^db:migrate: .*relation "pets" already exists\n$/s);
    expect(migration.printed).not.toMatch(/\n\s+at /);
  });
});

describe('a start that fails', () => {
  let database: ReturnType<typeof createEmbeddedDatabase>;

  beforeEach(() => {
    database = createEmbeddedDatabase();
  });

  afterEach(async () => {
    await database.remove();
  });

  /** The exit code and the output of a server that cannot start. */
  async function failureOf(variables: Record<string, string>): Promise<{ code: unknown; lines: string[] }> {
    const server = start('main', { ...database.environment, LOG_LEVEL: 'info', ...variables });
    const code = await server.ended();
    return { code, lines: server.printed.trimEnd().split('\n') };
  }

  test.each(['PORT', 'METRICS_PORT'])('says that the port of %s is taken', async (name) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const failure = await failureOf({ [name]: String(port) });
    taken.close();
    expect(failure.code).toBe(1);
    expect(failure.lines).toContain(
      `animal-store did not start. listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
    );
    expect(failure.lines.join()).not.toContain('ERROR');
  });
});

describe('a start in production', () => {
  test('says once that the database is unavailable, and once that it is not', async () => {
    const database = await createMigratedDatabase();
    const port = await freePort();
    const url = new URL(database.url);
    const way = wayTo(Number(url.port));
    url.port = String(port);
    const server = start('main', { ...PRODUCTION, ...database.environment, DATABASE_URL: url.toString() });
    const address = await server.listening();
    await untilPrinted(server, 'Not ready');
    const status = (await fetch(`${address}/health/ready`)).status;
    await delay(1_500);
    way.listen(port, '127.0.0.1');
    let ready = status;
    while (ready !== 200) {
      await delay(100);
      ready = (await fetch(`${address}/health/ready`)).status;
    }
    await untilPrinted(server, '"Ready');
    await server.kill('SIGKILL');
    way.close();
    await database.remove();
    expect([status, ready]).toEqual([503, 200]);
    expect(messagesOf(server, 'Readiness')).toEqual([
      `Not ready: connect ECONNREFUSED ${url.hostname}:${port}. No restart is needed when this is over`,
      'Ready',
    ]);
    expect(server.printed).not.toMatch(/\\n +at /);
  });
});

/** A proxy to a port of this machine that is not open yet. */
function wayTo(port: number): Server {
  return createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.on('error', () => far.destroy()).pipe(far);
    far.on('error', () => near.destroy()).pipe(near);
  });
}
