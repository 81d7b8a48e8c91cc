import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMigration } from './read-migration.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Writes a migration without the base class, because the base class is in the packages of this checkout. */
function write(name: string, members: string): string {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(
    path,
    `export class M {
      queries = [];
      addSql(sql) { this.queries.push(sql); }
      getQueries() { return this.queries; }
      isTransactional() { return true; }
      ${members}
    }`,
  );
  return path;
}

describe('reading a migration', () => {
  test('gives what it sends, in order, and whether in a transaction', async () => {
    const path = write('two', `up() { this.addSql('one'); this.addSql({ sql: 'two' }); }`);
    expect(await readMigration(path)).toEqual({ texts: ['one', 'two'], isTransactional: true });
  });

  test('gives what it sends outside of a transaction', async () => {
    const path = write('outside', `async up() { this.addSql('one'); } isTransactional() { return false; }`);
    expect(await readMigration(path)).toEqual({ texts: ['one'], isTransactional: false });
  });

  test('fails when it asks the database, as nobody can tell what it sends then', async () => {
    const path = write('asks', `async up() { await this.driver.execute('select 1'); }`);
    await expect(readMigration(path)).rejects.toThrow('A migration that is checked says all by addSql');
  });

  test('fails when what it sends is no text', async () => {
    await expect(readMigration(write('object', `up() { this.addSql({}); }`))).rejects.toThrow(
      'a query that is no text',
    );
  });

  test('fails when the file holds none', async () => {
    const path = join(folder, 'none.mjs');
    writeFileSync(path, 'export const name = 1;');
    await expect(readMigration(path)).rejects.toThrow('It exports no class');
  });
});
