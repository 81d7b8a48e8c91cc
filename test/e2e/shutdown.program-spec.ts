import { BuiltProgram } from '../support/built-program.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { RawConnection, requestBytes } from '../support/raw-http.js';
import { TEST_API_KEY } from '../support/running-app.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;

/** What becomes of requests: `shutdown.e2e-spec.ts`. */
describe('the server that is told to stop', () => {
  const database = useDatabase(createMigratedDatabase);
  let server: BuiltProgram;

  afterEach(() => server.kill('SIGKILL'));

  async function start(variables: Record<string, string>): Promise<URL> {
    server = new BuiltProgram('main', {
      NODE_ENV: 'production',
      BOOTSTRAP_API_KEY: TEST_API_KEY,
      SHUTDOWN_GRACE_SECONDS: '4',
      LOG_LEVEL: 'info',
      ...database.environment,
      ...variables,
    });
    return new URL(await server.listening());
  }

  test('cuts a client off that never finishes its request, tells so in the log, and still exits with 0', async () => {
    const url = await start({ SHUTDOWN_GRACE_SECONDS: '3' });
    const hanging = await RawConnection.open(Number(url.port));
    hanging.send(
      requestBytes('POST', '/v1/pets', [
        KEY,
        'Content-Type: application/json',
        'Content-Length: 99',
        'Expect: 100-continue',
      ]),
    );
    expect((await hanging.response()).status).toBe(100);
    server.signal('SIGTERM');
    expect(await server.ended()).toBe(0);
    hanging.close();
    expect(server.printed).toMatch(/"method":"POST","path":"\/v1\/pets".*"aborted":true/);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('exits with 0 at %s, also when it comes twice at once', async (signal) => {
    // npm forwards a signal to a process that has already received this signal from the terminal.
    await start({ LOG_LEVEL: 'warn' });
    server.signal(signal);
    server.signal(signal);
    const code = await server.ended();
    expect({ code, printed: code === 0 ? '' : server.printed }).toEqual({ code: 0, printed: '' });
  });
});
