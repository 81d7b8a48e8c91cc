import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { generateApiKey, hashApiKey } from '@animal-store/auth';
import { buildOnce, BuiltProgram } from '../support/built-program.js';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { TraceCollector, type Span } from './trace-collector.js';

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

function start(
  variables: Record<string, string>,
  program: ConstructorParameters<typeof BuiltProgram>[0] = 'main',
): BuiltProgram {
  return new BuiltProgram(program, {
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    BOOTSTRAP_API_KEY: KEY,
    ...database.environment,
    ...variables,
  });
}

/** Sends a request with a new trace. @returns the id of the trace */
async function send(at: string, path: string, key = KEY, headers: Record<string, string> = {}): Promise<string> {
  const traceId = randomBytes(16).toString('hex');
  const answer = await fetch(`${at}${path}`, {
    headers: {
      ...headers,
      authorization: `Bearer ${key}`,
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

function attributesOf({ attributes }: Span): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** The spans from this span up to the root. */
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

  test('a request that brings no trace begins one, and its line tells which', async () => {
    await (
      await fetch(`${url}/v1/pets`, { headers: { authorization: `Bearer ${KEY}`, 'x-request-id': 'alone' } })
    ).text();
    const { trace_id } = await lineOfLog(server, 'alone');
    expect(await collector.trace(trace_id as string, (spans) => spans.some(isStatement))).not.toEqual([]);
  });

  describe('a span', () => {
    const hasServer = (spans: readonly Span[]) => spans.some(({ kind }) => kind === SERVER);
    const hasSql = (spans: readonly Span[]) => hasServer(spans) && spans.some(({ kind }) => kind === CLIENT);

    test('tells the path without the query', async () => {
      const spans = await collector.trace(await send(url, '/v1/pets?limit=1&note=for-nobody-else'), hasServer);
      expect(attributesOf(spans.find(({ kind }) => kind === SERVER)!)).toMatchObject({ 'url.path': '/v1/pets' });
      expect(JSON.stringify(spans)).not.toContain('for-nobody-else');
    });

    test('tells no key, nor the hash that it is looked for by', async () => {
      const key = generateApiKey('test');
      const headers = { 'user-agent': `curl ${key}` };
      const spans = await collector.trace(await send(url, `/v1/pets/${key}`, key, headers), hasSql);
      expect(attributesOf(spans.find(({ kind }) => kind === SERVER)!)).toMatchObject({ 'url.path': '/v1/pets/<key>' });
      expect(JSON.stringify(spans)).not.toContain(key);
      expect(JSON.stringify(spans)).not.toContain(hashApiKey(key));
    });

    test('tells the client that made the connection, and not the one that it names', async () => {
      const traceId = await send(url, '/v1/pets', KEY, { 'x-forwarded-for': '203.0.113.7' });
      const spans = await collector.trace(traceId, hasServer);
      expect(attributesOf(spans.find(({ kind }) => kind === SERVER)!)).toMatchObject({ 'client.address': '127.0.0.1' });
    });
  });

  test('the questions of a supervisor are no traces', async () => {
    const traceId = await send(url, '/health/ready');
    await send(url, '/v1/pets');
    await delay(300);
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });
});

describe('with an exporter and a sampler that samples nothing', () => {
  test('a request that calls its trace sampled has nothing exported, and the log tells the trace', async () => {
    const program = start({ ...collector.environment, OTEL_TRACES_SAMPLER: 'always_off' });
    const traceId = await send(await program.listening(), '/v1/pets');
    const line = await lineOfLog(program, traceId.slice(0, 8));
    await delay(500);
    await program.kill('SIGKILL');
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
    expect(line).toMatchObject({ msg: 'request', trace_id: traceId });
  });
});

describe('with settings by which no trace arrives', () => {
  const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };

  test.each([
    ['ECONNREFUSED', ENDPOINT],
    ['not supported', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }],
    ['jaeger', { OTEL_TRACES_EXPORTER: 'otlp,jaeger' }],
    ['OTEL_TRACES_SAMPLER_ARG', { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '7' }],
  ])('a line of the log says %s', async (problem, variables) => {
    const program = start({ OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_EXPORTER_OTLP_TIMEOUT: '200', ...variables });
    const at = await program.listening();
    const lines = () => program.printed.split('\n').filter((line) => line.includes(problem));
    for (let waited = 0; waited < 10_000 && lines().length === 0; waited += 100) {
      await send(at, '/v1/pets');
      await delay(100);
    }
    await program.kill('SIGKILL');
    expect(JSON.parse(lines()[0] ?? '{}')).toMatchObject({
      context: 'Traces',
      msg: expect.stringContaining(problem) as string,
    });
  });
});
