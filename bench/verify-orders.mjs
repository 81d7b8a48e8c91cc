/** Compares the answers about orders with the rows of the database. Verifies that each pet is claimed once and with its order. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { URLSearchParams } from 'node:url';
import { request } from './client.mjs';
import { API_KEY } from './servers.mjs';
import { verifyAll } from './verify.mjs';

const PATH = '/v1/store/orders';
const STATUSES = ['placed', 'delivered', 'cancelled'];

const COLUMNS = `
  id::int, pet_id::int as "petId", quantity, lines, address, ship_date as "shipDate", note, status, placed_at as "placedAt"`;

const NEW_ORDER = {
  quantity: 2,
  lines: [
    { sku: 'SKU-1', quantity: 1 },
    { sku: 'SKU-2', quantity: 10 },
  ],
  address: { street: '1 Harbour Street', city: 'Aberdeen' },
};
const LONG_ORDER = {
  ...NEW_ORDER,
  lines: Array.from({ length: 50 }, (_, index) => ({ sku: `SKU-${index}`, quantity: 1 + (index % 10) })),
  shipDate: '2031-03-04T05:06:07.000Z',
  note: 'n'.repeat(2_000),
};

/** The number of simultaneous orders for one pet, and the number of pets. */
const RIVALS = 50;
const ROUNDS = 5;

/** Compares the status and the body of each answer with the rows of the database. Throws at the first difference. */
export async function verifyOrders(server, { client, pets, reset }) {
  const free = pets + 1;
  await verifyAll(server, {
    'refuses a missing key': async () => {
      await expectError(server, 401, 'GET', PATH, { key: null });
      await expectError(server, 401, 'POST', PATH, { key: null, body: { petId: free, ...NEW_ORDER } });
    },
    'refuses a wrong key': () => expectError(server, 401, 'GET', `${PATH}/1`, { key: `${API_KEY}x` }),
    'refuses a limit out of range': async () => {
      for (const limit of ['0', '101', 'x']) await expectError(server, 400, 'GET', `${PATH}?limit=${limit}`);
    },
    'refuses an unknown status': () => expectError(server, 400, 'GET', `${PATH}?status=Placed`),
    'does not find an unknown order': () => expectError(server, 404, 'GET', `${PATH}/${pets + 10_000_000}`),
    'lists 20 orders': () => expectList(server, client, {}),
    'lists as many as the limit says': () => expectList(server, client, { limit: 100 }),
    'lists one status': async () => {
      for (const status of STATUSES) {
        await expectList(server, client, { limit: 7, status });
        await expectList(server, client, { status });
      }
    },
    'gets one order': async () => {
      for (const id of [1, 2, Math.ceil(pets / 2), pets]) await expectOrder(server, client, id);
    },
    'refuses what is wrong with an order': () => expectRefusals(server, client, free),
    'refuses an unknown pet': async () => {
      await expectCode(server, 404, 'not_found', { petId: pets + 10_000_000, ...NEW_ORDER });
    },
    'refuses a pet that is not available': async () => {
      for (const status of ['pending', 'sold']) {
        const { rows } = await client.query('select id::int from pets where status = $1 limit 1', [status]);
        await expectCode(server, 409, 'pet_not_available', { petId: rows[0].id, ...NEW_ORDER });
      }
    },
    'places an order': async () => {
      await expectPlaced(server, client, { petId: free, ...NEW_ORDER });
      await expectPlaced(server, client, { petId: free + 1, ...LONG_ORDER });
    },
    'gives one pet to one of many': async () => {
      for (let round = 0; round < ROUNDS; round++) await expectOneWinner(server, client, free + 2 + round);
    },
  });
  await reset();
}

async function expectError(server, status, method, path, options) {
  const answer = await request(server, method, path, options);
  equal(answer.status, status);
  return answer;
}

async function expectCode(server, status, code, order) {
  const { body } = await expectError(server, status, 'POST', PATH, { body: order });
  equal(body.code, code);
}

async function expectList(server, client, { limit, status }) {
  const query = new URLSearchParams({ ...(limit && { limit }), ...(status && { status }) });
  const answer = await request(server, 'GET', `${PATH}?${query}`);
  const { rows } = await client.query(
    `select ${COLUMNS} from store_orders where $1::text is null or status = $1 order by store_orders.id limit $2`,
    [status, limit ?? 20],
  );
  equal(answer.status, 200);
  deepStrictEqual(answer.body.map(comparable), rows.map(comparable));
}

async function expectOrder(server, client, id) {
  const answer = await request(server, 'GET', `${PATH}/${id}`);
  const { rows } = await client.query(`select ${COLUMNS} from store_orders where store_orders.id = $1`, [id]);
  equal(answer.status, 200);
  deepStrictEqual(comparable(answer.body), comparable(rows[0]));
}

/** An order with times in milliseconds and without empty fields: an answer omits empty fields, a row has `null`. */
function comparable({ shipDate, placedAt, ...order }) {
  const given = Object.entries({ ...order, shipDate: time(shipDate), placedAt: time(placedAt) });
  return Object.fromEntries(given.filter(([, value]) => value !== null));
}

function time(value) {
  if (value === undefined || value === null) return null;
  return new Date(value).getTime();
}

async function expectRefusals(server, client, petId) {
  const order = { petId, ...NEW_ORDER };
  const line = NEW_ORDER.lines[0];
  const wrong = [
    { petId: '1' },
    { quantity: undefined },
    { quantity: 11 },
    { lines: [] },
    { lines: Array.from({ length: 51 }, () => line) },
    { lines: [{ ...line, quantity: 11 }] },
    { address: { ...NEW_ORDER.address, city: 1 } },
    { shipDate: 'tomorrow' },
    { note: 'n'.repeat(2_001) },
    { colour: 'red' },
    { lines: [{ ...line, colour: 'red' }] },
  ];
  for (const change of wrong) await expectError(server, 400, 'POST', PATH, { body: { ...order, ...change } });
  await expectPet(client, petId, { status: 'available', orders: 0 });
}

async function expectPlaced(server, client, order) {
  const from = Date.now();
  const answer = await request(server, 'POST', PATH, { body: order });
  const until = Date.now();
  equal(answer.status, 201);
  const { id, placedAt } = answer.body;
  equal(answer.headers.location, `${PATH}/${id}`);
  deepStrictEqual(comparable(answer.body), comparable({ id, ...order, status: 'placed', placedAt }));
  ok(time(placedAt) >= from - 1 && time(placedAt) <= until + 1, `placedAt is ${placedAt}`);
  await expectOrder(server, client, id);
  await expectPet(client, order.petId, { status: 'pending', orders: 1 });
}

async function expectOneWinner(server, client, petId) {
  const body = { petId, ...NEW_ORDER };
  const answers = await Promise.all(
    Array.from({ length: RIVALS }, () => request(server, 'POST', PATH, { body, keepAlive: false })),
  );
  const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
  deepStrictEqual(statuses, [201, ...Array(RIVALS - 1).fill(409)]);
  await expectPet(client, petId, { status: 'pending', orders: 1 });
}

async function expectPet(client, id, expected) {
  const { rows } = await client.query(
    'select status, (select count(*)::int from store_orders where pet_id = pets.id) as orders from pets where id = $1',
    [id],
  );
  deepStrictEqual({ ...rows[0] }, expected);
}
