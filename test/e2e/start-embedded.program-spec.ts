import { execFileSync } from 'node:child_process';
import { BuiltProgram } from '../support/built-program.js';
import { createEmbeddedDatabase } from '../support/databases.js';

/** The first start makes and migrates a database, which takes long on a busy machine. */
const SLOW_MS = 120_000;

const KEY_FORM = /asdev_[0-9a-z]{31}_[0-9a-z]{7}/;

function keyOf(server: BuiltProgram): string {
  return KEY_FORM.exec(server.printed)?.[0] ?? '';
}

async function addPet(url: string, key: string, name: string): Promise<number> {
  const { status } = await fetch(`${url}/v1/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, categoryId: 7 }),
  });
  return status;
}

async function namesOfPets(url: string, key: string): Promise<string[]> {
  const answer = await fetch(`${url}/v1/pets`, { headers: { authorization: `Bearer ${key}` } });
  return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
}

describe('the built server on the embedded database', () => {
  let database: ReturnType<typeof createEmbeddedDatabase>;
  let server: BuiltProgram;

  beforeEach(() => {
    database = createEmbeddedDatabase();
    server = new BuiltProgram('main', database.environment);
  });

  afterEach(async () => {
    await server.kill('SIGKILL');
    await database.remove();
  });

  test(
    'prints a curl line that works as it is',
    async () => {
      await server.listening(SLOW_MS);
      const line = /curl .*/.exec(server.printed)?.[0] ?? '';
      expect(execFileSync('sh', ['-c', `${line} --silent`], { encoding: 'utf8' })).toBe('[]');
    },
    SLOW_MS,
  );

  test(
    'keeps its pets from one start to the next, even when it was killed, and makes another key',
    async () => {
      const url = await server.listening(SLOW_MS);
      const key = keyOf(server);
      expect(await addPet(url, key, 'Rex')).toBe(201);
      await server.kill('SIGKILL');

      server = new BuiltProgram('main', database.environment);
      const again = await server.listening(SLOW_MS);
      expect(keyOf(server)).not.toBe(key);
      expect(await namesOfPets(again, keyOf(server))).toEqual(['Rex']);
    },
    SLOW_MS,
  );
});
