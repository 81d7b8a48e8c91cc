import fc from 'fast-check';
import { SqlExecutor, toBoolean, type Parameter, type Row } from '../../libs/persistence/src/sql/sql-executor.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service-without-http.js';

describe('statements', () => {
  const service = useService(createMigratedDatabase);

  function run(text: string, ...values: Parameter[]): Promise<readonly Row[]> {
    return service.get(SqlExecutor, { strict: false }).run({ name: '', text }, values);
  }

  /** Texts that the database can store: all of Unicode except NUL. */
  const texts = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0'));
  const awkward = fc.oneof(
    texts,
    fc.constantFrom('', '"', '\\', '\\"', '{', '}', ',', 'NULL', ' a ', '\n', '{1,2}', "'"),
  );

  test('carry a text to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(awkward, async (text) => {
        expect(await run('select $1::text', text)).toEqual([[text]]);
      }),
    );
  });

  test('carry every text of an array to the byte, and that there is none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(awkward), { maxLength: 5 }), async (array) => {
        expect(await run('select unnest($1::text[])', array)).toEqual(array.map((text) => [text]));
      }),
    );
  });

  test('tell truth from untruth', async () => {
    expect((await run('select true, false, null::boolean'))[0]?.map(toBoolean)).toEqual([true, false, false]);
  });

  test('fail with what the database says, and leave it to the next one', async () => {
    await expect(run('select 1 / $1::integer', 0)).rejects.toMatchObject({ code: '22012' });
    await expect(run('no SQL')).rejects.toMatchObject({ code: '42601' });
    expect(await run('select $1::text', 'still there')).toEqual([['still there']]);
  });

  test('fail as a whole when their last row does', async () => {
    await expect(run('select 1 / n from unnest($1::integer[]) as n', [2, 1, 0])).rejects.toMatchObject({
      code: '22012',
    });
  });
});
