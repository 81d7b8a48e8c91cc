/** Verifies the answers of a server before the server is measured. */
import { deepStrictEqual } from 'node:assert/strict';
import { API_KEY, request } from './servers.mjs';

const COLUMNS = `id::int, name, category_id::int as "categoryId", status`;

/** Compares the status and the body of each answer with the rows of the database. Throws at the first difference. */
export async function verifyAnswers(server, { client, pets }) {
  const rowsOf = async (condition, ...values) =>
    (await client.query(`select ${COLUMNS} from pets where ${condition}`, values)).rows;
  const check = async (status, body, method, path, options) => {
    const answer = await request(server, method, path, options);
    const expected = { status, body: body ?? answer.body };
    deepStrictEqual(
      answer,
      expected,
      `${server.name} gives a wrong answer to ${method} ${path}, so it is not measured`,
    );
    return answer.body;
  };
  for (const key of [null, `${API_KEY}x`]) await check(401, undefined, 'GET', '/v1/pets', { key });
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'status=Sold'])
    await check(400, undefined, 'GET', `/v1/pets?${query}`);
  await check(400, undefined, 'POST', '/v1/pets', { body: { categoryId: 1 } });
  await check(404, undefined, 'GET', `/v1/pets/${pets + 10_000_000}`);
  await check(200, await rowsOf('true order by pets.id limit 20'), 'GET', '/v1/pets');
  for (const status of ['available', 'pending', 'sold']) {
    const rows = await rowsOf('status = $1 order by pets.id limit 7', status);
    await check(200, rows, 'GET', `/v1/pets?limit=7&status=${status}`);
  }
  for (const id of [1, pets]) await check(200, (await rowsOf('pets.id = $1', id))[0], 'GET', `/v1/pets/${id}`);
  const newPet = { name: 'Verification', categoryId: 7, status: 'sold' };
  const { id } = await check(201, undefined, 'POST', '/v1/pets', { body: newPet });
  await check(200, { id, ...newPet }, 'GET', `/v1/pets/${id}`);
  await client.query('delete from pets where id = $1', [id]);
}
