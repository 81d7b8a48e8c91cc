import { greeting } from './greeting.js';

const URL = 'http://127.0.0.1:3000';

describe('the greeting', () => {
  test('tells where the service is, its documentation, its key and a line to try', () => {
    expect(greeting(URL, { DOCS_ENABLED: true, HOST: '127.0.0.1' }, 'the-key').split('\n')).toEqual([
      `Animal Store is listening on ${URL}`,
      `  documentation    ${URL}/docs`,
      '  development key  the-key',
      `  try it           curl -H 'Authorization: Bearer the-key' ${URL}/v1/pets`,
    ]);
  });

  test('tells of nothing that is not there', () => {
    expect(greeting(URL, { DOCS_ENABLED: false, HOST: 'localhost' }, undefined)).toBe(
      `Animal Store is listening on ${URL}`,
    );
  });

  test.each(['0.0.0.0', '::'])('says that others can reach it with HOST=%s', (HOST) => {
    expect(greeting(URL, { DOCS_ENABLED: false, HOST }, undefined)).toContain(
      `every address of this machine (HOST=${HOST})`,
    );
  });
});
