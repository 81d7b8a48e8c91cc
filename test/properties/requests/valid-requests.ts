import { answerFaults } from '../../support/described-answers.js';
import { faultsOfError } from '../../support/error-body.js';
import { answerOf, schemaFaults } from '../../support/openapi.js';
import { nextPage } from '../../support/pages.js';
import type { RawAnswer } from '../../support/raw-http.js';
import type { HttpRequest } from '../http-request.js';
import type { Caller, Sent } from './caller.js';
import type { DescribedOperation } from './described-operations.js';
import type { Draft } from './draft.js';
import { readJson, Reference, WireObject, WrittenJson, type WireJson } from './wire-json.js';

/** The number of pages that are checked after the first page. */
const MAX_PAGES = 3;

/** The statuses of a valid request that was not carried out: its resource does not exist, or has changed. */
const REFUSALS_OF_STATE = [404, 409];

/**
 * Sends a request that the document allows. It must be carried out, its answer must be as described, and a resource that it created or
 * changed must be read back as in the answer.
 *
 * @throws Error with the requests
 */
export async function checkValid(caller: Caller, draft: Draft): Promise<void> {
  const sent = await caller.send(draft);
  const { answer } = sent;
  const isDone = answer.status < 400;
  const allowed = draft.isComplete(caller.description) ? [] : REFUSALS_OF_STATE;
  const mayBeReuse = isReuse(caller, sent);
  if (!isDone && !allowed.includes(answer.status) && !mayBeReuse) {
    caller.fail(`${nameOf(draft)} is valid, and was answered ${answer.status} ${answer.text()}`);
  }
  failFor(caller, sent, faultsOfAnswer(caller, draft.described, answer));
  if (!isDone) return;
  if (answer.status === 201) await checkMade(caller, draft, sent);
  else if (draft.parts.method === 'GET' && answer.status === 200) await checkRead(caller, draft, sent);
  else if (answer.body.length > 0) await checkChanged(caller, sent);
}

/** The reasons why an answer does not match the description of the operation in the document. */
export function faultsOfAnswer(
  { description }: Caller,
  { operation, method }: DescribedOperation,
  answer: RawAnswer,
): string[] {
  const { document } = description;
  const faults = answerFaults(document, operation, answer);
  if (!(answer.status in operation.responses) || method === 'HEAD') return faults;
  if (answer.status >= 400) faults.push(...faultsOfError(answer, answer.text()));
  const schema = answerOf(document, operation, answer.status).content?.['application/json']?.schema;
  if (schema === undefined) return answer.body.length === 0 ? faults : [...faults, 'the body is not described'];
  const described = description.resolve(schema);
  return [...faults, ...schemaFaults(document, described, JSON.parse(answer.text()) as unknown)];
}

function failFor(caller: Caller, { request, answer }: Sent, faults: readonly string[]): void {
  if (faults.length === 0) return;
  caller.fail(
    `${request.method} ${request.target}: ${faults.join('; ')}: ${answer.status} ${answer.text().slice(0, 500)}`,
  );
}

function nameOf({ parts, described }: Draft): string {
  return `${parts.method} ${described.path}`;
}

/** Whether the `Idempotency-Key` of the request was used in another run: most generated keys are short. */
function isReuse({ tally: { usedKeys } }: Caller, { request, answer }: Sent): boolean {
  const key = request.fields.find(([name]) => name === 'Idempotency-Key')?.[1];
  if (key === undefined) return false;
  const wasUsed = usedKeys.has(key);
  usedKeys.add(key);
  return answer.status === 422 && wasUsed;
}

async function checkMade(caller: Caller, draft: Draft, sent: Sent): Promise<void> {
  const address = sent.answer.headers.get('location')!;
  const reader = caller.description.readerOf(address);
  if (reader === undefined) return;
  const made = sent.answer.headers.get('idempotent-replayed') === null;
  await expectSame(caller, sent, address);
  const { body } = draft.parts;
  if (!made || body === undefined || Buffer.isBuffer(body)) return;
  const lost = differences(body, readJson(sent.answer.text()), sent.ids);
  if (lost.length > 0) caller.fail(`${nameOf(draft)} did not keep what was sent: ${lost.join('; ')}`);
}

async function checkChanged(caller: Caller, sent: Sent): Promise<void> {
  const address = sent.request.target.replace(/\/[^/]*$/, '');
  if (caller.description.readerOf(address) !== undefined) await expectSame(caller, sent, address);
}

/** A later read must return the bytes of the answer. */
async function expectSame(caller: Caller, { answer, request }: Sent, address: string): Promise<void> {
  const read = await get(caller, request, address);
  if (read.status !== 200 || read.text() !== answer.text() || read.headers.get('etag') !== answer.headers.get('etag')) {
    caller.fail(
      `GET ${address} gives ${read.status} ${read.headers.get('etag') ?? ''} ${read.text()}, ` +
        `and the answer to ${request.method} was ${answer.headers.get('etag') ?? ''} ${answer.text()}`,
    );
  }
}

/** A repeated read must answer that nothing has changed, HEAD must return the same fields, and the next pages must follow. */
async function checkRead(caller: Caller, draft: Draft, { request, answer }: Sent): Promise<void> {
  const etag = answer.headers.get('etag') ?? '';
  const again = await get(caller, request, request.target, [['If-None-Match', etag]]);
  if (again.status !== 304)
    caller.fail(`GET ${request.target} with its own entity tag: ${again.status} ${again.text()}`);
  const { operation } = caller.description.at('HEAD', draft.described.path) ?? draft.described;
  const head = await caller.sendRequest({ ...request, method: 'HEAD' }, operation.operationId);
  for (const name of ['etag', 'link', 'content-length', 'content-type']) {
    if (head.headers.get(name) === answer.headers.get(name)) continue;
    caller.fail(
      `HEAD ${request.target} says ${name}: ${head.headers.get(name) ?? ''}, and GET ${answer.headers.get(name) ?? ''}`,
    );
  }
  if (Array.isArray(JSON.parse(answer.text()))) await checkPages(caller, draft, request, answer);
}

async function checkPages(caller: Caller, draft: Draft, request: HttpRequest, first: RawAnswer): Promise<void> {
  const query = draft.parts.query.map(([name, value]) => [name, decodeURIComponent(value)] as const);
  const limit = Number(new Map(query).get('limit') ?? defaultLimit(draft));
  let before: bigint | undefined;
  let answer = first;
  for (let pages = 0; ; pages++) {
    const items = readJson(answer.text()) as Record<string, unknown>[];
    const next = nextPage(answer);
    if (items.length > limit || (next !== undefined && items.length !== limit)) {
      caller.fail(`A page of ${request.target} has ${items.length} items, and ${next ?? 'none'} follows`);
    }
    for (const item of items) {
      const id = item['id'] as bigint;
      if (before !== undefined && id <= before) caller.fail(`${request.target} shows ${id} behind ${before}`);
      before = id;
      const wrong = query.filter(([name, value]) => name in item && item[name] !== value);
      if (wrong.length > 0) caller.fail(`${request.target} shows ${answer.text()}`);
    }
    if (next === undefined || pages === MAX_PAGES) return;
    answer = await get(caller, request, next);
    if (answer.status !== 200) caller.fail(`The next page ${next}: ${answer.status} ${answer.text()}`);
  }
}

function defaultLimit({ described }: Draft): unknown {
  return described.operation.parameters.find(({ name }) => name === 'limit')?.schema.default;
}

function get(
  caller: Caller,
  { fields }: HttpRequest,
  target: string,
  more: HttpRequest['fields'] = [],
): Promise<RawAnswer> {
  const reader = caller.description.readerOf(target.replace(/[?].*$/, ''));
  const own = fields.filter(([name]) => name === 'Authorization');
  const request = { method: 'GET', target, fields: [...own, ...more] };
  return caller.sendRequest(request, reader?.operation.operationId ?? target);
}

/** The parts of a sent value that are not in the answer. The answer may contain members that were not sent. */
function differences(value: WireJson, answered: unknown, ids: Sent['ids'], at = ''): string[] {
  if (value instanceof WireObject) {
    const members = answered as Record<string, unknown>;
    return value.members.flatMap(([name, member]) => differences(member, members[name], ids, `${at}.${name}`));
  }
  if (Array.isArray(value)) {
    const items = answered as unknown[];
    const length = items.length === value.length ? [] : [`${at} has ${items.length} items for ${value.length}`];
    return [...length, ...value.flatMap((item: WireJson, n) => differences(item, items[n], ids, `${at}[${n}]`))];
  }
  const sent = value instanceof Reference ? ids.get(value) : value instanceof WrittenJson ? meaningOf(value) : value;
  if (sent === answered || isSameTime(sent, answered)) return [];
  return [`${at} was ${JSON.stringify(String(sent))}, and is ${JSON.stringify(String(answered))}`];
}

function meaningOf({ text, value }: WrittenJson): unknown {
  return value ?? readJson(text);
}

function isSameTime(sent: unknown, answered: unknown): boolean {
  if (typeof sent !== 'string' || typeof answered !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(answered)) return false;
  return Date.parse(sent) === Date.parse(answered);
}
