import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import './app.module.js';
import { declaredSettings } from '@animal-store/settings';
import { readEnvironment } from './settings/environment.js';
import { packageFolder } from './package-folder.js';
import { SETTINGS } from './settings/settings.js';
import { greet, greeting } from './serve.js';
import { Log } from '@animal-store/logging';

const URL = 'http://127.0.0.1:3000';

const { jest } = import.meta;

describe('the greeting of a log that programs read', () => {
  test.each(['info', 'silent'])('is a line of it at LOG_LEVEL=%s', async (LOG_LEVEL) => {
    const written: string[] = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((data: unknown) => written.push(String(data)) > 0);
    const environment = readEnvironment({
      NODE_ENV: 'production',
      DATABASE_URL: 'postgresql://localhost/pets',
      LOG_LEVEL,
    });
    const log = new Log({ level: environment.LOG_LEVEL, isReadable: false });
    greet(log, URL, environment, undefined);
    await turn();
    jest.restoreAllMocks();
    expect(written.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        level: 'info',
        url: URL,
        docs: `${URL}/docs`,
        msg: `Animal Store is listening on ${URL}`,
      }),
    ]);
  });
});

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

describe('.env.example', () => {
  test('lists every setting, also those that modules declare', () => {
    const text = readFileSync(join(packageFolder(), '.env.example'), 'utf8');
    const names = [SETTINGS, ...declaredSettings()].flatMap(({ shape }) => Object.keys(shape));
    expect(names.filter((name) => !new RegExp(`^(# )?${name}=`, 'm').test(text))).toEqual([]);
  });
});
