/** The requests that the load generator sends. */

const STATUSES = [undefined, 'available', 'pending', 'sold'];
const CONNECTIONS = 32;

/** The number of requests after which a run repeats the sequence. */
const SEQUENCE_LENGTH = 20_000;

/**
 * `connections`: how many connections send at the same time. `next` makes one request. `writes`: the table must be reset before
 * a run. `keyed`: the load generator gives each request an `Idempotency-Key` of its own.
 */
export const WORKLOADS = {
  W1: { title: 'list, status=available', connections: CONNECTIONS, next: listAvailable },
  W2: { title: 'list, random limit and status', connections: CONNECTIONS, next: listAny },
  W3: { title: 'get by random id', connections: CONNECTIONS, next: getAny },
  W4: { title: 'create', connections: CONNECTIONS, next: create, writes: true },
  'W4-keyed': { title: 'W4, each under a key', connections: CONNECTIONS, next: create, writes: true, keyed: true },
  W5: { title: '70 % W2, 25 % W3, 5 % W4', connections: 64, next: mixed, writes: true },
  W6: { title: 'W1 on 512 connections', connections: 512, next: listAvailable },
};

/**
 * The requests `{ method, path, body }` of a workload: the same for every server and every run.
 *
 * @param pets how many pets there are from id 1 on
 */
export function requestsOf(workload, pets) {
  const { next } = WORKLOADS[workload];
  const random = seededRandom(20_301_205);
  return Array.from({ length: SEQUENCE_LENGTH }, () => next(random, pets));
}

function listAvailable() {
  return { method: 'GET', path: '/v1/pets?status=available' };
}

function listAny(random) {
  const limit = 1 + integerBelow(100, random);
  const status = STATUSES[integerBelow(STATUSES.length, random)];
  return { method: 'GET', path: `/v1/pets?limit=${limit}${status ? `&status=${status}` : ''}` };
}

function getAny(random, pets) {
  return { method: 'GET', path: `/v1/pets/${1 + integerBelow(pets, random)}` };
}

function create(random) {
  const number = integerBelow(1_000_000, random);
  const body = { name: `New pet ${number}`, categoryId: 1 + (number % 50), status: 'pending' };
  return { method: 'POST', path: '/v1/pets', body: JSON.stringify(body) };
}

function mixed(random, pets) {
  const part = random();
  if (part < 0.7) return listAny(random);
  return part < 0.95 ? getAny(random, pets) : create(random);
}

function integerBelow(limit, random) {
  return Math.floor(random() * limit);
}

/** A generator of numbers from 0 to 1: the same seed gives the same numbers (mulberry32). */
function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
