/** What the load generator sends. */

const STATUSES = [undefined, 'available', 'pending', 'sold'];
const CONNECTIONS = 32;

/** Requests after which a run sends the same ones again. */
const SEQUENCE_LENGTH = 20_000;

/**
 * `connections`: how many send at once. `writes`: whether the table must be reset before a run.
 * `against`: the only peers it is measured against, where that is not all of them.
 */
export const WORKLOADS = {
  W1: { title: 'list, `status=available`', connections: CONNECTIONS, next: listAvailable },
  W2: { title: 'list, random `limit`, random `status` or none', connections: CONNECTIONS, next: listAny },
  W3: { title: 'get by random id', connections: CONNECTIONS, next: getAny },
  W4: { title: 'create', connections: CONNECTIONS, next: create, writes: true },
  W5: { title: '70 % W2, 25 % W3, 5 % W4', connections: 64, next: mixed, writes: true },
  W6: { title: 'W1 on 512 connections', connections: 512, next: listAvailable },
  'W1-single': {
    title: 'W1 on one connection',
    connections: 1,
    next: listAvailable,
    against: ['raw-pg', 'express-pg'],
  },
  'W3-single': {
    title: 'W3 on one connection',
    connections: 1,
    next: getAny,
    against: ['raw-pg', 'express-pg'],
  },
};

/** The same requests for everyone, on every run: `{ method, path, body }`. */
export function requestsOf(workload, animals) {
  const { next } = WORKLOADS[workload];
  const random = seededRandom(20_301_205);
  return Array.from({ length: SEQUENCE_LENGTH }, () => next(random, animals));
}

function listAvailable() {
  return { method: 'GET', path: '/v1/pets?status=available' };
}

function listAny(random) {
  const limit = 1 + integerBelow(100, random);
  const status = STATUSES[integerBelow(STATUSES.length, random)];
  return { method: 'GET', path: `/v1/pets?limit=${limit}${status ? `&status=${status}` : ''}` };
}

function getAny(random, animals) {
  return { method: 'GET', path: `/v1/pets/${1 + integerBelow(animals, random)}` };
}

function create(random) {
  const number = integerBelow(1_000_000, random);
  const body = { name: `New animal ${number}`, categoryId: 1 + (number % 50), status: 'pending' };
  return { method: 'POST', path: '/v1/pets', body: JSON.stringify(body) };
}

function mixed(random, animals) {
  const part = random();
  if (part < 0.7) return listAny(random);
  return part < 0.95 ? getAny(random, animals) : create(random);
}

function integerBelow(limit, random) {
  return Math.floor(random() * limit);
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
