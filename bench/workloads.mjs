/** The requests that the load generator sends. */
import { ORDERS, PETS } from './servers.mjs';

const STATUSES = [undefined, 'available', 'pending', 'sold'];
const CONNECTIONS = 32;

/** The number of requests after which a run repeats the sequence. */
const SEQUENCE_LENGTH = 20_000;

/**
 * How many pets can be ordered: each request of W9 orders one pet. If a run sends more requests, the server refuses the
 * rest, and the run does not count.
 */
export const ORDERABLE = 150_000;

/**
 * `connections`: how many connections send at the same time. `writes`: the table must be reset before a run. `claims`: before a
 * warm-up too. `application`: the program that gets the workload. `next` makes one request, `all` makes all requests. `floor`:
 * how many times as many requests as raw-pg the product must answer, also without accelerators.
 */
export const WORKLOADS = {
  W1: { title: 'list, status=available', ...ofPets(2.5), next: listAvailable },
  W2: { title: 'list, random limit and status', ...ofPets(2), next: listAny },
  W3: { title: 'get by random id', ...ofPets(1.5), next: getAny },
  W4: { title: 'create', ...ofPets(2), next: create, writes: true },
  W5: { title: '70 % W2, 25 % W3, 5 % W4', ...ofPets(1.6), connections: 64, next: mixed, writes: true },
  W6: { title: 'W1 on 512 connections', ...ofPets(2.5), connections: 512, next: listAvailable },
  W7: { title: 'list orders, status=placed', ...ofOrders(), next: listPlaced },
  W8: { title: 'get an order by random id', ...ofOrders(), next: getOrder },
  W9: { title: 'place an order', ...ofOrders(), all: placeOrders, writes: true, claims: true },
  'W1-single': { title: 'W1 on one connection', ...ofPets(), connections: 1, next: listAvailable },
  'W3-single': { title: 'W3 on one connection', ...ofPets(), connections: 1, next: getAny },
};

/**
 * The requests `{ method, path, body }` of a workload: the same for every server and every run.
 *
 * @param pets how many pets there are from id 1 on, without the pets that can be ordered; the workloads of orders have as many orders
 */
export function requestsOf(workload, pets) {
  const { next, all } = WORKLOADS[workload];
  const random = seededRandom(20_301_205);
  return all ? all(random, pets) : Array.from({ length: SEQUENCE_LENGTH }, () => next(random, pets));
}

function ofPets(floor) {
  return { connections: CONNECTIONS, application: PETS, floor };
}

function ofOrders() {
  return { connections: CONNECTIONS, application: ORDERS };
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

function listPlaced() {
  return { method: 'GET', path: '/v1/store/orders?status=placed' };
}

function getOrder(random, orders) {
  return { method: 'GET', path: `/v1/store/orders/${1 + integerBelow(orders, random)}` };
}

/** The requests that order each available pet once, in random sequence. */
function placeOrders(random, pets) {
  const ids = Array.from({ length: ORDERABLE }, (_, index) => pets + 1 + index);
  for (let last = ids.length - 1; last > 0; last--) {
    const other = integerBelow(last + 1, random);
    [ids[last], ids[other]] = [ids[other], ids[last]];
  }
  return ids.map((petId) => ({
    method: 'POST',
    path: '/v1/store/orders',
    body: JSON.stringify(newOrder(petId, random)),
  }));
}

/** An order of one to five lines; every second order has a ship date, every fourth order has a note. */
function newOrder(petId, random) {
  const upToTen = () => 1 + integerBelow(10, random);
  const number = integerBelow(1_000_000, random);
  return {
    petId,
    quantity: upToTen(),
    lines: Array.from({ length: 1 + (number % 5) }, () => ({
      sku: `SKU-${integerBelow(5_000, random)}`,
      quantity: upToTen(),
    })),
    address: { street: `${1 + (number % 200)} Harbour Street`, city: `City ${number % 1_000}` },
    ...(number % 2 === 0 && { shipDate: `2031-0${1 + (number % 9)}-15T09:00:00.000Z` }),
    ...(number % 4 === 0 && { note: `Ring twice, please, and leave order ${number} with the neighbours` }),
  };
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
