import { execFileSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, BuiltProgram } from '../support/built-program.js';
import { createEmbeddedDatabase } from '../support/databases.js';

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

beforeAll(async () => {
  await buildOnce();
}, 120_000);

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

  test('prints a curl line that works as it is', async () => {
    await server.listening();
    const line = /curl .*/.exec(server.printed)?.[0] ?? '';
    expect(execFileSync('sh', ['-c', `${line} --silent`], { encoding: 'utf8' })).toBe('[]');
  });

  test('takes the file of its key from others who could read it', async () => {
    await server.listening();
    const file = join(database.folder, 'development-api-key');
    await server.kill('SIGKILL');
    chmodSync(file, 0o644);
    server = new BuiltProgram('main', database.environment);
    await server.listening();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('keeps its pets and its key from one start to the next, even when it was killed', async () => {
    const url = await server.listening();
    const key = keyOf(server);
    expect(await addPet(url, key, 'Rex')).toBe(201);
    await server.kill('SIGKILL');

    server = new BuiltProgram('main', database.environment);
    expect(await namesOfPets(await server.listening(), key)).toEqual(['Rex']);
    expect(keyOf(server)).toBe(key);
  });
});
