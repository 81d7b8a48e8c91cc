import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from '../support/built-program.js';
import { createEmbeddedDatabase, createMigratedDatabase, useDatabase } from '../support/databases.js';
import { startApp } from '../support/running-app.js';
import { withClient } from '../support/database-client.js';

/** A test starts several programs, each of which takes seconds on a busy machine. */
const SLOW_MS = 120_000;

const KEY_FORM = /[a-z][a-z0-9]{1,15}_[0-9a-z]{31}_[0-9a-z]{7}/g;

interface Outcome {
  readonly code: number | NodeJS.Signals | null;
  /** The text on standard output. */
  readonly answer: string;
  /** The text on standard output and standard error. */
  readonly printed: string;
}

async function keys(variables: Record<string, string>, ...words: string[]): Promise<Outcome> {
  const program = new BuiltProgram('cli/keys', variables, words);
  const code = await program.ended();
  return { code, answer: program.standardOutput, printed: program.printed };
}

/** @returns the new key, which is alone on the standard output */
async function newKey(variables: Record<string, string>, ...words: string[]): Promise<string> {
  const { code, answer, printed } = await keys(variables, ...words);
  if (code !== 0) throw new Error(`keys ${words.join(' ')} ended with ${code}: ${printed}`);
  return answer.trimEnd();
}

const database = useDatabase(createMigratedDatabase);
const environment: Record<string, string> = { API_KEY_PREFIX: 'asdemo' };

beforeAll(() => {
  Object.assign(environment, database.environment);
});

describe('the command keys', () => {
  test(
    'walks a key through its life',
    async () => {
      const created = await newKey(environment, 'create', '--name', 'shop', '--expires-in', '90d');
      const taken = await keys(environment, 'create', '--name', 'shop');
      const rotated = await newKey(environment, 'rotate', 'shop', '--grace', '24h');
      const active = await keys(environment, 'list');
      const revoked = await keys(environment, 'revoke', 'shop');
      const again = await keys(environment, 'revoke', 'shop');
      const listed = await keys(environment, 'list');

      for (const key of [created, rotated]) expect(key).toMatch(/^asdemo_[0-9a-z]{31}_[0-9a-z]{7}$/);
      expect(rotated).not.toBe(created);
      expect(taken).toMatchObject({ code: 1, answer: '' });
      expect(taken.printed).toContain('A live key has the name "shop" already');
      expect(active.answer.match(/'active'/g)).toHaveLength(2);
      expect(revoked.answer.match(/'revoked'/g)).toHaveLength(2);
      expect(again.answer).toBe('No key.\n');
      expect(listed.answer.match(/'revoked'/g)).toHaveLength(2);
      expect(listed.printed).not.toMatch(KEY_FORM);
    },
    SLOW_MS,
  );
});

describe('a key made by the command', () => {
  test(
    'opens, shows when it was used, and is refused by another instance within a second of its revocation',
    async () => {
      const key = await newKey(environment, 'create', '--name', 'zoo');
      const instances = [await startApp(database), await startApp(database)] as const;
      const statusOf = async (instance = instances[1]): Promise<number> => {
        const answer = await instance.request('/v1/pets', { key });
        await answer.arrayBuffer();
        return answer.status;
      };
      expect([await statusOf(instances[0]), await statusOf()]).toEqual([200, 200]);

      const revocation = keys(environment, 'revoke', 'zoo');
      const lastAdmitted = await untilRefused(statusOf);
      await revocation;
      const { rows } = await withClient(database.url, (client) =>
        client.query<{ revoked_at: Date }>(`select revoked_at from api_keys where name = 'zoo'`),
      );
      const admittedFor = lastAdmitted - (rows[0]?.revoked_at.getTime() ?? 0);
      expect(admittedFor).toBeLessThan(1_000);

      await Promise.all(instances.map((instance) => instance.close()));
      const { rows: used } = await withClient(database.url, (client) =>
        client.query(`select from api_keys where name = 'zoo' and last_used_at is not null`),
      );
      expect(used).toHaveLength(1);
    },
    SLOW_MS,
  );

  test(
    'is kept nowhere in the database, and neither is its random part or its beginning',
    async () => {
      const key = await newKey(environment, 'create', '--name', 'hidden');
      const second = await newKey(environment, 'rotate', 'hidden');
      const { rows } = await withClient(database.url, (client) =>
        client.query('select to_jsonb(k) from api_keys k union all select to_jsonb(a) from api_key_audit a'),
      );
      const kept = JSON.stringify(rows);
      for (const part of [key, second].map((secret) => secret.split('_')[1])) expect(kept).not.toContain(part);
      expect(kept).not.toContain('asdemo_');
    },
    SLOW_MS,
  );

  test(
    'is not made when its audit entry cannot be written',
    async () => {
      await withClient(database.url, (client) => client.query('alter table api_key_audit add check (false) not valid'));
      const { code } = await keys(environment, 'create', '--name', 'unaudited');
      const { rowCount } = await withClient(database.url, (client) =>
        client.query(`select from api_keys where name = 'unaudited'`),
      );
      expect([code, rowCount]).toEqual([1, 0]);
    },
    SLOW_MS,
  );
});

/** Sends requests until the response is 401. @returns when the last accepted request was sent */
async function untilRefused(statusOf: () => Promise<number>): Promise<number> {
  let last = 0;
  for (;;) {
    const sentAt = Date.now();
    const status = await statusOf();
    if (status === 401) return last;
    if (status !== 200) throw new Error(`The answer was ${status}`);
    last = sentAt;
    await delay(5);
  }
}

describe('a command of keys', () => {
  test(
    'says that the embedded database is in use by a server',
    async () => {
      const database = createEmbeddedDatabase();
      const server = new BuiltProgram('main', database.environment);
      await server.listening();
      const { code, printed } = await keys({ ...database.environment }, 'list');
      await server.kill('SIGKILL');
      await database.remove();
      expect(code).toBe(1);
      expect(printed).toContain('is in use by another process');
    },
    SLOW_MS,
  );
});
