import { withClient } from './sql.js';

/** Whether the PostgreSQL server of the test run has a JIT compiler, as in distributions and in Docker's images. */
export const HAS_JIT = await withClient(process.env['TEST_SERVER_URL'] ?? '', async (client) => {
  // PostgreSQL looks for the compiler only if `jit` is on.
  await client.query('set jit = on');
  const { rows } = await client.query<{ available: boolean }>('select pg_jit_available() as available');
  return rows[0]?.available === true;
});
