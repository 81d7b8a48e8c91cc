import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { buildOnce, BuiltProgram } from '../support/built-server.js';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { whileAnimalsAreLocked } from '../support/sql.js';
import { TraceCollector, type Span } from '../support/trace-collector.js';

const KEY = 'a-key-for-tests-only';
const SERVER = 2;
const CLIENT = 3;

let database: ServerDatabase;
let collector: TraceCollector;
let server: BuiltProgram;
let url: string;

beforeAll(async () => {
  await buildOnce();
  database = await createMigratedDatabase();
  collector = new TraceCollector();
  await collector.open();
  server = start(collector.environment);
  url = await server.listening();
}, 120_000);

afterAll(async () => {
  await server.kill('SIGKILL');
  await collector.close();
  await database.remove();
});

function start(variables: Record<string, string>): BuiltProgram {
  return new BuiltProgram('main', {
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    BOOTSTRAP_API_KEY: KEY,
    ...database.environment,
    ...variables,
  });
}

/** Sends a request that belongs to a new trace. @returns the id of the trace */
async function send(at: string, path: string): Promise<string> {
  const traceId = randomBytes(16).toString('hex');
  const answer = await fetch(`${at}${path}`, {
    headers: {
      authorization: `Bearer ${KEY}`,
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      'x-request-id': traceId.slice(0, 8),
    },
  });
  await answer.text();
  return traceId;
}

const isStatement = ({ kind, attributes }: Span) =>
  kind === CLIENT &&
  attributes.some(({ key, value }) => key.startsWith('db.') && JSON.stringify(value).includes('pets'));

/** The spans from this one up to the root. */
function lineOf(span: Span, spans: readonly Span[]): Span[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined ? [span] : [span, ...lineOf(parent, spans)];
}

async function lineOfLog(program: BuiltProgram, requestId: string): Promise<Record<string, unknown>> {
  for (let waited = 0; waited < 5_000; waited += 50) {
    const line = program.printed.split('\n').find((text) => text.includes(`"requestId":"${requestId}"`));
    if (line !== undefined) return JSON.parse(line) as Record<string, unknown>;
    await delay(50);
  }
  throw new Error(`There is no line for ${requestId}`);
}

describe('with an exporter for traces', () => {
  test('the trace of a request leads from HTTP to SQL', async () => {
    const traceId = await send(url, '/v1/pets/1');
    const spans = await collector.trace(
      traceId,
      (found) => found.some(isStatement) && found.some(({ kind }) => kind === SERVER),
    );
    const line = lineOf(spans.find(isStatement)!, spans);
    expect(line.at(-1)).toMatchObject({
      kind: SERVER,
      name: 'GET /v1/pets/:petId',
      parentSpanId: '00f067aa0ba902b7',
    });
  });

  test('a statement that serves many requests belongs to the first and links to the others', async () => {
    const { sent } = await whileAnimalsAreLocked(database.url, async () => {
      const sent = Promise.all(Array.from({ length: 30 }, (_, index) => send(url, `/v1/pets/${index + 1}`)));
      // The first statements wait for the lock, and the other requests for them.
      await delay(500);
      return { sent };
    });
    const traceIds = await sent;
    await delay(500);
    const batches = collector.spans.filter(
      ({ name, traceId }) => name === 'shared statement' && traceIds.includes(traceId),
    );
    const seen = batches.flatMap(({ traceId, links = [] }) => [traceId, ...links.map((link) => link.traceId)]);
    expect(seen.sort()).toEqual([...traceIds].sort());
    expect(batches.length).toBeLessThan(traceIds.length);
  });

  test('the line of a request in the log tells its trace', async () => {
    const traceId = await send(url, '/v1/pets');
    expect(await lineOfLog(server, traceId.slice(0, 8))).toMatchObject({ msg: 'request', trace_id: traceId });
  });

  test('a request that brings no trace begins one, and its line tells which', async () => {
    await (
      await fetch(`${url}/v1/pets`, { headers: { authorization: `Bearer ${KEY}`, 'x-request-id': 'alone' } })
    ).text();
    const { trace_id } = await lineOfLog(server, 'alone');
    expect(await collector.trace(trace_id as string, (spans) => spans.some(isStatement))).not.toEqual([]);
  });

  test('the questions of a supervisor are no traces', async () => {
    const traceId = await send(url, '/health/ready');
    await send(url, '/v1/pets');
    await delay(300);
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });
});

describe('without one', () => {
  test('the log still tells the trace that a request brings', async () => {
    const plain = start({});
    const at = await plain.listening();
    const traceId = await send(at, '/v1/pets');
    const line = await lineOfLog(plain, traceId.slice(0, 8));
    await plain.kill('SIGKILL');
    expect(line).toMatchObject({ msg: 'request', trace_id: traceId });
  });
});
