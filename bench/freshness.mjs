/** Verifies under load that the next read through the server shows each change that another connection has committed. */
import { performance } from 'node:perf_hooks';
import { request } from './client.mjs';
import { runWorkload } from './load/load-generator.mjs';

/**
 * Commits changes on its own connection while the server is under W1. Reads each change through the server at once:
 * a new pet by its id, a new name in the list that the load requests.
 *
 * @returns the number of changes; throws if a read does not show a change
 */
export async function verifyFreshness(server, catalogue, seconds) {
  const load = runWorkload(server, 'W1', { pets: catalogue.pets, seconds });
  const deadline = performance.now() + (seconds - 0.5) * 1_000;
  let changes = 0;
  try {
    while (performance.now() < deadline) {
      await expectNewPet(server, catalogue.client);
      await expectNewName(server, catalogue.client, `Renamed ${changes}`);
      changes += 2;
    }
  } finally {
    await load;
    await catalogue.client.query(`update pets set name = 'Animal ' || id where id <= 100`);
    await catalogue.reset();
  }
  return changes;
}

async function expectNewPet(server, client) {
  const { rows } = await client.query(
    `insert into pets (name, category_id, status) values ('Fresh', 1, 'sold') returning id::int`,
  );
  const { status, body } = await request(server, 'GET', `/v1/pets/${rows[0].id}`);
  if (status !== 200 || body.id !== rows[0].id) throw new Error(`${server.name} misses a pet that was committed`);
}

async function expectNewName(server, client, name) {
  const { rows } = await client.query(
    `update pets set name = $1
     where id = (select id from pets where status = 'available' order by id offset 9 limit 1) returning id::int`,
    [name],
  );
  const { body } = await request(server, 'GET', '/v1/pets?status=available');
  const shown = body.find(({ id }) => id === rows[0].id)?.name;
  if (shown !== name) throw new Error(`${server.name} lists "${shown}" after "${name}" was committed`);
}
