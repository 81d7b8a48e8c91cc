import { withClient } from './sql.js';

/** Whether the PostgreSQL server of the run has a JIT compiler, as those of distributions and of Docker's images do. */
export const HAS_JIT = await withClient(process.env['TEST_SERVER_URL'] ?? '', async (client) => {
  // It is looked for only where it would be used.
  await client.query('set jit = on');
  const { rows } = await client.query<{ available: boolean }>('select pg_jit_available() as available');
  return rows[0]?.available === true;
});
