import { checkMigrations } from './import-migrations.js';

describe('data that comes into a database', () => {
  test.each([
    ['has nothing to wait for where both have been through the same', ['1', '2'], ['1', '2'], ['1', '2', '3'], []],
    ['needs what the database lacks of it, and no more', ['1', '2'], ['1'], ['1', '2', '3'], ['2']],
    ['needs all of it in an empty database', ['1', '2'], [], ['1', '2', '3'], ['1', '2']],
    [
      'may be of a module that this program does not have, where the database has it',
      ['1', 'x'],
      ['1', 'x'],
      ['1'],
      [],
    ],
  ])('%s', (_what, ofData, ofDatabase, available, missing) => {
    expect(checkMigrations(ofData, ofDatabase, available)).toEqual(missing);
  });

  test('is refused where the database has been through more', () => {
    expect(() => checkMigrations(['1'], ['1', '2'], ['1', '2'])).toThrow('older than the database');
  });

  test('is refused where the program does not know its migrations', () => {
    expect(() => checkMigrations(['1', '9'], ['1'], ['1'])).toThrow('does not know 9');
  });
});
