/**
 * Lists the files of the product that one createPet request runs through, in the order of their first calls:
 * `node bench/measure/request-files.mjs [--json] [NAME=value…]`. `NAME=value` is a setting of the product. The last build is used.
 *
 * V8 counts the calls of each function. A second series of requests finds the order of the calls: a breakpoint in each
 * called function notes the call and never stops the process.
 */
import console from 'node:console';
import { readFileSync } from 'node:fs';
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

/** Requests before the first counted request. They open the connections and make the server cache the key. */
const WARM_UPS = 20;

/** A function counts if each of these requests called it. This excludes functions that a timer calls now and then. */
const REQUESTS = 10;

/** The pause after the statement of a request has begun to wait, and after the response, in milliseconds. */
const STANDSTILL_MS = 40;

const LOOK_MS = 5;
const MAX_LOOKS = 1_000;

const PET = { name: 'Rex', categoryId: 7, status: 'available' };

async function main() {
  const settings = process.argv.slice(2).filter((word) => word !== '--json');
  refuseUnbuilt(PRODUCT, PETS);
  const postgres = await startPostgres({});
  const catalogue = await createCatalogue(postgres, 'catalogue', { pets: 1, subject: PRODUCT });
  const inspectorPort = await freePort();
  const server = await startServer(PRODUCT, catalogue.url, {
    METRICS_PORT: '',
    ...Object.fromEntries(settings.map((setting) => setting.split(/=(.*)/s, 2))),
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
  });
  const inspector = await openInspector(inspectorPort);
  for (let sent = 0; sent < WARM_UPS; sent++) await addPet(server);

  const coverage = await startCoverage(inspector);
  const [called, calledBack] = (await watchRequests(server, catalogue, coverage)).map(inEach);
  const notes = await noteCalls(inspector, coverage.functions, called.union(calledBack));
  const [order, orderBack] = await watchRequests(server, catalogue, notes);
  const fileOf = (id) => coverage.functions.get(id).file;
  const toStatement = [...new Set(inOrder(called, order).map(fileOf))];
  const toAnswer = [...new Set(inOrder(calledBack, orderBack).map(fileOf))];

  if (process.argv.includes('--json')) console.log(JSON.stringify({ toStatement, toAnswer }));
  else {
    print('From the socket to the statement', toStatement);
    print('From the statement to the answer', toAnswer);
    print('Only from the statement to the answer', [...new Set(toAnswer).difference(new Set(toStatement))]);
    print('All', [...new Set([...toStatement, ...toAnswer])]);
  }

  inspector.close();
  await server.stop();
  await catalogue.close();
}

/**
 * Sends requests while the table is locked. Functions that are called before the lock is released run between the socket
 * and the statement; functions that are called later run between the statement and the response.
 *
 * @param watch `take()` returns the functions that were called since the previous `take()`
 * @returns the functions of each request: before the statement, and after the statement
 */
async function watchRequests(server, catalogue, watch) {
  const [toStatement, toAnswer] = [[], []];
  for (let sent = 0; sent < REQUESTS; sent++) {
    await catalogue.client.query('begin; lock table pets in access exclusive mode');
    await watch.take();
    const answered = addPet(server);
    await untilBlocked(catalogue.client);
    await sleep(STANDSTILL_MS);
    toStatement.push(await watch.take());
    await catalogue.client.query('rollback');
    await answered;
    await sleep(STANDSTILL_MS);
    toAnswer.push(await watch.take());
  }
  return [toStatement, toAnswer];
}

/** Resolves when a statement waits for the lock. */
async function untilBlocked(client) {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const { rows } = await client.query('select 1 from pg_locks where not granted');
    if (rows.length > 0) return;
    await sleep(LOOK_MS);
  }
  throw new Error('No statement came to the database');
}

async function addPet(server) {
  const { status } = await request(server, 'POST', '/v1/pets', { body: PET });
  if (status !== 201) throw new Error(`createPet answered ${status}`);
}

/** Connects to the inspector of a process. */
async function openInspector(port) {
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
  return { send, close: () => socket.close() };
}

/** Starts V8's count of function calls. */
async function startCoverage({ send }) {
  await send('Profiler.enable');
  await send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const functions = new Map();
  return {
    /** The product's functions that were called, by id. */
    functions,
    /** The ids of the product's functions that were called since the previous `take()`. */
    async take() {
      const ids = new Set();
      const { result } = await send('Profiler.takePreciseCoverage');
      for (const { scriptId, url, functions: some } of result) {
        const file = ownFile(url);
        if (file === undefined) continue;
        for (const [{ count, startOffset, endOffset }] of some.map(({ ranges }) => ranges)) {
          if (count === 0) continue;
          const id = `${scriptId}:${startOffset}`;
          ids.add(id);
          functions.set(id, { scriptId, url, file, startOffset, endOffset });
        }
      }
      return ids;
    },
  };
}

/** Sets a breakpoint in each function of `ids`, which notes each call of the function. */
async function noteCalls({ send }, functions, ids) {
  await send('Profiler.stopPreciseCoverage');
  await send('Debugger.enable');
  for (const id of ids) {
    const { scriptId, url, startOffset, endOffset } = functions.get(id);
    const text = readFileSync(fileURLToPath(url), 'utf8');
    const { locations } = await send('Debugger.getPossibleBreakpoints', {
      start: { scriptId, ...placeOf(text, startOffset) },
      end: { scriptId, ...placeOf(text, endOffset) },
      restrictToFunction: true,
    });
    if (locations.length === 0) continue;
    // The condition is never true, so the process never stops.
    const condition = `(globalThis.notedCalls ??= new Set()).add(${JSON.stringify(id)}) === undefined`;
    const [{ lineNumber, columnNumber }] = locations;
    await send('Debugger.setBreakpoint', { location: { scriptId, lineNumber, columnNumber }, condition });
  }
  return {
    /** The ids of the functions that were called since the previous `take()`, in the order of their first calls. */
    async take() {
      const expression = '{ const ids = [...(globalThis.notedCalls ?? [])]; globalThis.notedCalls = new Set(); ids; }';
      const { result } = await send('Runtime.evaluate', { expression, returnByValue: true });
      return result.value;
    },
  };
}

/** An offset as the inspector's position: line and column, both counted from 0. */
function placeOf(text, offset) {
  const before = text.slice(0, offset);
  return { lineNumber: before.split('\n').length - 1, columnNumber: offset - (before.lastIndexOf('\n') + 1) };
}

/** The source path of a built file of the product; `undefined` for every other file. */
function ownFile(url) {
  if (!url.startsWith('file:')) return undefined;
  const path = relative(REPOSITORY, fileURLToPath(url));
  return /^dist\/(?:apps|libs)\//.test(path) ? path.slice('dist/'.length).replace(/\.js$/, '.ts') : undefined;
}

function inEach(sets) {
  return sets.reduce((some, others) => some.intersection(others));
}

/** Sorts functions by the median of their positions in the requests; a function that was not noted comes last. */
function inOrder(ids, orders) {
  const placeIn = (order, id) => (order.includes(id) ? order.indexOf(id) : Infinity);
  const medianOf = (id) => orders.map((order) => placeIn(order, id)).toSorted(ascending)[Math.floor(orders.length / 2)];
  const places = new Map([...ids].map((id) => [id, medianOf(id)]));
  return [...ids].toSorted((one, other) => ascending(places.get(one), places.get(other)));
}

function ascending(one, other) {
  return one === other ? 0 : one - other;
}

function print(title, files) {
  console.log(`${title}: ${files.length} files`);
  for (const file of files) console.log(`  ${file}`);
  console.log();
}

await main();
process.exit(0);
