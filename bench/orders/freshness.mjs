/** Verifies under load that the next read through the server shows each change of orders that another connection has committed. */
import { performance } from 'node:perf_hooks';
import { request } from '../client.mjs';
import { runWorkload } from '../load/load-generator.mjs';

/** Does for orders what `verifyFreshness` does for pets: with new orders and new notes, under W7. */
export async function verifyFreshOrders(server, { client, pets, reset }, seconds) {
  const load = runWorkload(server, 'W7', { pets, seconds });
  const deadline = performance.now() + (seconds - 0.5) * 1_000;
  let changes = 0;
  const { rows: before } = await client.query(
    `select id, note from store_orders where status = 'placed' order by id limit 20`,
  );
  try {
    while (performance.now() < deadline) {
      await expectNewOrder(server, client, pets + 1);
      await expectNewNote(server, client, `Changed ${changes}`);
      changes += 2;
    }
  } finally {
    await load;
    for (const { id, note } of before)
      await client.query('update store_orders set note = $2 where id = $1', [id, note]);
    await reset();
  }
  return changes;
}

async function expectNewOrder(server, client, petId) {
  const { rows } = await client.query(
    `insert into store_orders (pet_id, quantity, lines, address, status, placed_at)
     select $1, quantity, lines, address, 'cancelled', now() from store_orders where id = 1 returning id::int`,
    [petId],
  );
  const { status, body } = await request(server, 'GET', `/v1/store/orders/${rows[0].id}`);
  if (status !== 200 || body.id !== rows[0].id) throw new Error(`${server.name} misses an order that was committed`);
}

async function expectNewNote(server, client, note) {
  const { rows } = await client.query(
    `update store_orders set note = $1
     where id = (select id from store_orders where status = 'placed' order by id offset 9 limit 1) returning id::int`,
    [note],
  );
  const { body } = await request(server, 'GET', '/v1/store/orders?status=placed');
  const shown = body.find(({ id }) => id === rows[0].id)?.note;
  if (shown !== note) throw new Error(`${server.name} lists "${shown}" after "${note}" was committed`);
}
