import { join } from 'node:path';
import { BuiltProgram } from '../support/built-program.js';
import { CheckoutCopy } from '../support/checkout-copy.js';
import { describeChecks } from './checks.js';

/** The commands of a team, in this order. */
const COMMANDS = [
  'library store',
  'library orders-domain',
  'resource orders --project api',
  'module deliveries --project api',
  'controller deliveries --project api',
  'service deliveries --project api',
  'guard owner --project api',
  'pipe trim --project api',
  'filter teapot --project api',
  'interceptor clock --project api',
  'middleware stamp --project api',
];

/** The folders that the commands create. The commands also change existing files. */
const FOLDERS = [
  'libs/store',
  'libs/orders-domain',
  ...['orders', 'deliveries', 'owner', 'trim', 'teapot', 'clock', 'stamp'].map((name) => `apps/api/src/${name}`),
];

let copy: CheckoutCopy;

beforeAll(() => {
  copy = CheckoutCopy.make();
  for (const command of COMMANDS) {
    const { status, printed } = copy.node('node_modules/@nestjs/cli/bin/nest.js', 'generate', ...command.split(' '));
    // The Nest CLI exits with 0 even after a failure.
    if (status !== 0 || !printed.includes('CREATE')) throw new Error(`nest generate ${command}: ${printed}`);
  }
}, 60_000);

afterAll(() => {
  copy.remove();
});

describe('what nest generate makes here', () => {
  describeChecks(() => copy, [...FOLDERS, 'apps/api/src/app.module.ts', 'nest-cli.json'], {
    'its own tests': ['--selectProjects', 'unit', '--', ...FOLDERS],
    // The resource has PATCH and DELETE, and tests with HTTP meet all routes. Unit and integration tests compose what they try
    // themselves, so a route cannot reach them, but for those that look at the files of every module.
    'the tests of the base that a module can reach': [
      ...['--selectProjects', 'unit', 'integration', 'e2e', '--'],
      ...['test/architecture', 'test/released-document', 'integration/migrations', 'test/e2e', 'examples/'],
    ],
  });

  describe('once it is built and started, on the embedded database,', () => {
    const KEY = 'a-key-for-tests-only';
    let server: BuiltProgram;
    let url: string;

    beforeAll(async () => {
      const { status, printed } = copy.node('tools/build.js');
      if (status !== 0) throw new Error(printed);
      const variables = { NODE_ENV: 'development', BOOTSTRAP_API_KEY: KEY, DATA_DIR: join(copy.folder, '.data') };
      server = new BuiltProgram(`${copy.folder}/dist/apps/api/src/main.js` as `/${string}`, variables);
      url = await server.listening();
    }, 120_000);

    afterAll(() => server.kill('SIGKILL'));

    async function send(method: string, path: string, body?: object): Promise<[status: number, answer: unknown]> {
      const headers = { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) };
      const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const text = await answer.text();
      return [answer.status, text === '' ? undefined : JSON.parse(text)];
    }

    test('answers POST, GET, PATCH and DELETE at /v1/orders, and refuses what is wrong', async () => {
      const order = { id: 1, name: 'First' };
      expect(await send('POST', '/v1/orders', { name: 'First' })).toEqual([201, order]);
      expect(await send('GET', '/v1/orders')).toEqual([200, [order]]);
      expect(await send('GET', '/v1/orders/1')).toEqual([200, order]);
      expect(await send('PATCH', '/v1/orders/1', { name: 'Second' })).toEqual([200, { ...order, name: 'Second' }]);
      expect(await send('PATCH', '/v1/orders/1', { name: null })).toMatchObject([400, { code: 'invalid_request' }]);
      expect(await send('POST', '/v1/orders', { name: 5 })).toMatchObject([400, { code: 'invalid_request' }]);
      expect(await send('DELETE', '/v1/orders/1')).toEqual([204, undefined]);
      expect(await send('GET', '/v1/orders/1')).toMatchObject([404, { code: 'not_found' }]);
    });
  });
});
