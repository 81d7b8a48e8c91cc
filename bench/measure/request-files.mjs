/**
 * The files of the product that one createPet passes through, as the engine counted their calls:
 * `node bench/measure/request-files.mjs [NAME=value…]`, with settings of the product, on the last build.
 */
import console from 'node:console';
import { setTimeout as sleep } from 'node:timers/promises';
import { relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createCatalogue } from '../catalogue.mjs';
import { request } from '../client.mjs';
import { freePort } from '../free-port.mjs';
import { startPostgres } from '../postgres.mjs';
import { startServer } from '../running-server.mjs';
import { PETS, PRODUCT, refuseUnbuilt, REPOSITORY } from '../servers.mjs';

/** Before the first one that counts: connections are open by then, and the key is known. */
const WARM_UPS = 20;

/** A file counts when each of these requests called it: what a timer calls now and then is no part of a request. */
const REQUESTS = 10;

/** In milliseconds: what is not called by then waits for the database. Shorter than the timers of the product. */
const STANDSTILL_MS = 40;

const ANIMAL = { name: 'Rex', categoryId: 7, status: 'available' };

/**
 * Sends requests while the table is locked: what is called before the lock is released lies between the socket and the
 * statement, what is called later between the statement and the answer.
 */
async function main() {
  refuseUnbuilt(PRODUCT, PETS);
  const postgres = await startPostgres({});
  const catalogue = await createCatalogue(postgres, 'catalogue', { animals: 1, subject: PRODUCT });
  const inspectorPort = await freePort();
  const server = await startServer(PRODUCT, catalogue.url, {
    METRICS_PORT: '',
    ...Object.fromEntries(process.argv.slice(2).map((setting) => setting.split(/=(.*)/s, 2))),
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
  });
  const coverage = await openCoverage(inspectorPort);
  for (let sent = 0; sent < WARM_UPS; sent++) await addAnimal(server);

  const ways = [];
  for (let sent = 0; sent < REQUESTS; sent++) {
    await catalogue.client.query('begin; lock table pets in access exclusive mode');
    await coverage.take();
    const answered = addAnimal(server);
    await sleep(STANDSTILL_MS);
    const toStatement = await coverage.take();
    await catalogue.client.query('rollback');
    await answered;
    await sleep(STANDSTILL_MS);
    ways.push({ toStatement, toAnswer: await coverage.take() });
  }
  const [first, second] = ['toStatement', 'toAnswer'].map((part) => inEach(ways.map((way) => way[part])));
  print('From the socket to the statement', first);
  print('From the statement to the answer', second);
  print('Only from the statement to the answer', second.difference(first));
  print('All', first.union(second));

  coverage.close();
  await server.stop();
  await catalogue.close();
}

async function addAnimal(server) {
  const { status } = await request(server, 'POST', '/v1/pets', { body: ANIMAL });
  if (status !== 201) throw new Error(`createPet answered ${status}`);
}

/** The calls of a process, counted by its engine and read through its inspector. */
async function openCoverage(port) {
  const [{ webSocketDebuggerUrl }] = await (await globalThis.fetch(`http://127.0.0.1:${port}/json/list`)).json();
  const socket = new globalThis.WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  const waiting = new Map();
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(data);
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(error.message));
    waiting.delete(id);
  });
  let calls = 0;
  const send = (method, params = {}) =>
    new Promise((resolve, reject) => {
      calls += 1;
      waiting.set(calls, { resolve, reject });
      socket.send(JSON.stringify({ id: calls, method, params }));
    });
  await send('Profiler.enable');
  await send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    /** The own files of which a function was called since the last time. */
    async take() {
      const { result } = await send('Profiler.takePreciseCoverage');
      const called = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0));
      return new Set(called.flatMap(({ url }) => ownFile(url) ?? []));
    },
    close: () => socket.close(),
  };
}

/** The source of a built file of the product; `undefined` for every other one. */
function ownFile(url) {
  if (!url.startsWith('file:')) return undefined;
  const path = relative(REPOSITORY, fileURLToPath(url));
  return /^dist\/(?:apps|libs)\//.test(path) ? path.slice('dist/'.length).replace(/\.js$/, '.ts') : undefined;
}

function inEach(sets) {
  return sets.reduce((some, others) => some.intersection(others));
}

function print(title, files) {
  console.log(`${title}: ${files.size} files`);
  for (const file of [...files].toSorted()) console.log(`  ${file}`);
  console.log();
}

await main();
process.exit(0);
