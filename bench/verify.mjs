/** Verifies the answers of a server before the server is measured. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { URLSearchParams } from 'node:url';
import { request } from './client.mjs';
import { API_KEY } from './servers.mjs';

const COLUMNS = `id::int, name, category_id::int as "categoryId", status`;

/** Compares the status and the body of each answer with the rows of the database. Throws at the first difference. */
export async function verifyAnswers(server, catalogue) {
  const { client, pets } = catalogue;
  const checks = {
    'refuses a missing key': () => expectError(server, 401, 'GET', '/v1/pets', { key: null }),
    'refuses a wrong key': () => expectError(server, 401, 'GET', '/v1/pets', { key: `${API_KEY}x` }),
    'refuses a limit out of range': async () => {
      for (const limit of ['0', '101', 'x']) await expectError(server, 400, 'GET', `/v1/pets?limit=${limit}`);
    },
    'refuses an unknown status': () => expectError(server, 400, 'GET', '/v1/pets?status=Sold'),
    'refuses a pet without a name': () => expectError(server, 400, 'POST', '/v1/pets', { body: { categoryId: 1 } }),
    'does not find an unknown pet': () => expectError(server, 404, 'GET', `/v1/pets/${pets + 10_000_000}`),
    'lists 20 pets': () => expectList(server, client, {}),
    'lists as many as the limit says': () => expectList(server, client, { limit: 100 }),
    'lists one status': async () => {
      for (const status of ['available', 'pending', 'sold']) {
        await expectList(server, client, { limit: 7, status });
        await expectList(server, client, { status });
      }
    },
    'gets one pet': async () => {
      for (const id of [1, Math.ceil(pets / 2), pets]) await expectPet(server, client, id);
    },
    'creates a pet': () => expectCreation(server, client),
  };
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
    } catch (cause) {
      throw new Error(`${server.name} gives wrong answers, so it is not measured: "${name}" does not hold`, { cause });
    }
  }
}

async function expectError(server, status, method, path, options) {
  equal((await request(server, method, path, options)).status, status);
}

async function expectList(server, client, { limit, status }) {
  const query = new URLSearchParams({ ...(limit && { limit }), ...(status && { status }) });
  const answer = await request(server, 'GET', `/v1/pets?${query}`);
  const { rows } = await client.query(
    `select ${COLUMNS} from pets where $1::text is null or status = $1 order by pets.id limit $2`,
    [status, limit ?? 20],
  );
  equal(answer.status, 200);
  deepStrictEqual(answer.body, rows);
}

async function expectPet(server, client, id) {
  const answer = await request(server, 'GET', `/v1/pets/${id}`);
  const { rows } = await client.query(`select ${COLUMNS} from pets where pets.id = $1`, [id]);
  equal(answer.status, 200);
  deepStrictEqual(answer.body, rows[0]);
}

async function expectCreation(server, client) {
  const newPet = { name: 'Verification', categoryId: 7, status: 'sold' };
  const answer = await request(server, 'POST', '/v1/pets', { body: newPet });
  equal(answer.status, 201);
  deepStrictEqual(answer.body, { id: answer.body.id, ...newPet });
  await expectPet(server, client, answer.body.id);
  await client.query('delete from pets where id = $1', [answer.body.id]);
}
