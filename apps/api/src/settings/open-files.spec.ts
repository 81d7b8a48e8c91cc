import { openFilesLimit, openFilesWarning } from './open-files.js';

describe('the limit of open files', () => {
  test('is known on this system, where it has one', () => {
    const limit = openFilesLimit();
    expect(limit === undefined || limit > 100).toBe(true);
  });

  test('is no reason for a warning where it is enough, or where there is none', () => {
    expect([openFilesWarning(1_024, 1_224), openFilesWarning(1_024, undefined)]).toEqual([undefined, undefined]);
  });

  test('is told with what the connections need where it is too low', () => {
    expect(openFilesWarning(1_024, 1_024)).toMatch(/^The process may open 1024 files, .*: allow 1224 /);
  });
});
