import type { Schema } from '../../support/openapi.js';
import type { Description } from './described-operations.js';
import { CURSOR, type Draft } from './draft.js';
import { boundsOf } from './valid-values.js';
import { WireObject, writeJson, WrittenJson, type WireJson } from './wire-json.js';

/** A request with one fault. */
export interface BrokenDraft {
  /** The rule that the request breaks, and how. */
  readonly fault: string;
  readonly draft: Draft;
  /** The statuses with which the service may refuse the request. */
  readonly statuses: readonly number[];
}

type Broken<Value> = readonly (readonly [fault: string, value: Value])[];

const TOO_LARGE = Buffer.alloc(1024 ** 2 + 1, ' ');

/** Texts that are not an int64 in canonical decimal digits. */
const NO_IDS = ['abc', '1.0', '01', '+1', '-0', '1e3', '0x1', '9223372036854775808', '-9223372036854775809', '1 ', '٣'];

/** Texts that are not plain decimal digits. */
const NO_DIGITS = ['1e1', '0x10', '+5', '%205', '05', '1.0', '5_0', 'five', '%', '%FF', '1%00'];

const NO_TIMES = ['2026-12-24', '2026-12-24T10:00:00', '2026-02-29T10:00:00Z', '10000-01-01T00:00:00Z', 'now', ''];

/** HTTP methods that Node accepts. */
const METHODS = ['PUT', 'PATCH', 'DELETE', 'POST', 'TRACE', 'PROPFIND'];

/** All requests that break exactly one rule of the document, or one rule of HTTP that the document describes. */
export function brokenDrafts(description: Description, draft: Draft): BrokenDraft[] {
  const { described } = draft;
  // An operation without a handler checks only the API key.
  const isHandled = '400' in described.operation.responses;
  const all = [
    ...brokenKeys(draft),
    ...(isHandled ? [...brokenPaths(draft), ...brokenQueries(description, draft), ...brokenFields(draft)] : []),
    ...(isHandled ? brokenMethods(description, draft) : []),
    ...brokenBodies(description, draft),
  ];
  return all.map(([fault, broken, ...statuses]) => ({ fault, draft: broken, statuses }));
}

type Faulty = readonly [fault: string, draft: Draft, ...statuses: number[]];

function brokenKeys(draft: Draft): Faulty[] {
  if (draft.described.operation.security.length === 0) return [];
  const key = draft.parts.fields.find(([name]) => name === 'Authorization')![1];
  return [
    ['no key', draft.withField('Authorization'), 401],
    ['an empty key', draft.withField('Authorization', ''), 401],
    ['another key', draft.withField('Authorization', `${key}x`), 401],
    ['another scheme', draft.withField('Authorization', key.replace('Bearer', 'Basic')), 401],
    ['two keys', draft.withField('Authorization', key, key), 401],
    ['the key in the address', draft.withField('Authorization').with({ query: [['access_token', key.slice(7)]] }), 401],
  ];
}

function brokenPaths(draft: Draft): Faulty[] {
  const { path } = draft.parts;
  return path.flatMap(([name]) =>
    [...NO_IDS, '0', '-1', '9223372036854775807'].map((id): Faulty => {
      const others = path.map(([other, value]) => [other, other === name ? id : value] as const);
      return [`${name} is ${id}`, draft.with({ path: others }), 404];
    }),
  );
}

function brokenQueries(description: Description, draft: Draft): Faulty[] {
  const { query } = draft.parts;
  const parameters = draft.described.operation.parameters.filter((parameter) => parameter.in === 'query');
  const given = (name: string, ...values: readonly string[]) =>
    draft.with({
      query: [...query.filter(([other]) => other !== name), ...values.map((value) => [name, value] as const)],
    });
  return [
    ['an unknown query parameter', given('verbose', '1'), 400],
    ['a query parameter that objects have', given('__proto__', '1'), 400],
    ...parameters.flatMap(({ name, schema }) => [
      [`${name} as an object`, given(`${name}[a]`, '1'), 400] as const,
      [`${name} in capitals`, given(name.toUpperCase(), '1'), 400] as const,
      ...brokenTexts(description, name, schema).flatMap(([fault, value]) => [
        [`${name} ${fault}`, given(name, value), 400] as const,
        [`${name} twice, ${fault}`, given(name, value, value), 400] as const,
      ]),
    ]),
  ];
}

function brokenTexts(description: Description, name: string, schema: Schema): Broken<string> {
  const { type, enum: allowed, ...rest } = description.resolve(schema);
  const bounds = boundsOf(rest);
  const values = [
    ...(type === 'integer' ? [...NO_DIGITS, String(bounds.min - 1n), String(bounds.max + 1n)] : []),
    ...(allowed ?? []).flatMap((value) => [String(value).toUpperCase(), `${String(value)}%20`, `${String(value)},`]),
    // A value that only an earlier page contains cannot be guessed.
    ...(name === CURSOR ? ['x', 'AgAAAAAAAAQTw4uyE2vBl1JxkG0Oq8hYHg', '%00', 'null'] : []),
    '',
  ];
  return values.map((value) => [`is ${JSON.stringify(value)}`, value]);
}

function brokenFields(draft: Draft): Faulty[] {
  const parameters = draft.described.operation.parameters.filter((parameter) => parameter.in === 'header');
  return parameters.flatMap(({ name, schema: { minLength = 0, maxLength, pattern } }) => [
    ...(minLength > 0 ? [[`an empty ${name}`, draft.withField(name, ''), 400] as const] : []),
    ...(maxLength === undefined
      ? []
      : [[`a longer ${name}`, draft.withField(name, 'x'.repeat(maxLength + 1)), 400] as const]),
    ...(pattern === undefined
      ? []
      : ['a b', 'caf\u00e9', '\u0080'].map(
          (value) => [`${name}: ${value}`, draft.withField(name, value), 400] as const,
        )),
    ...(pattern === undefined ? [] : [[`two fields ${name}`, draft.withField(name, 'a', 'a'), 400] as const]),
  ]);
}

function brokenMethods(description: Description, draft: Draft): Faulty[] {
  const { method, path, operation } = draft.described;
  if (!('405' in operation.responses) || method === 'HEAD') return [];
  return METHODS.filter((other) => description.at(other, path) === undefined).map((other) => [
    `the method ${other}`,
    draft.with({ method: other }),
    405,
  ]);
}

function brokenBodies(description: Description, draft: Draft): Faulty[] {
  const { body } = draft.parts;
  if (body === undefined || Buffer.isBuffer(body) || draft.described.body === undefined) return [];
  const plain = Buffer.from(writeJson(body, new Map(draft.references.map((reference) => [reference, 1n]))));
  return [
    ...brokenValues(description, draft.described.body, body).map(([fault, value]): Faulty => [
      fault,
      draft.with({ body: value }),
      400,
    ]),
    ['no body', draft.with({ body: undefined }).withField('Content-Type'), 400, 415],
    ['an empty body', draft.with({ body: Buffer.alloc(0) }), 400],
    ['half a body', draft.with({ body: plain.subarray(0, plain.length / 2) }), 400],
    ['a comma at the end', draft.with({ body: Buffer.from(`${plain.toString().slice(0, -1)},}`) }), 400],
    ['two bodies', draft.with({ body: Buffer.concat([plain, plain]) }), 400],
    ['a comment', draft.with({ body: Buffer.concat([plain, Buffer.from('// all')]) }), 400],
    [
      'bytes that are no UTF-8',
      draft.with({ body: Buffer.concat([plain.subarray(0, -1), Buffer.from('"\xff":1}', 'latin1')]) }),
      400,
    ],
    ['UTF-16', draft.with({ body: Buffer.from(plain.toString(), 'utf16le') }), 400],
    ['a body that is too large', draft.with({ body: Buffer.concat([plain, TOO_LARGE]) }), 413],
    ['no media type', draft.withField('Content-Type'), 415],
    ['another media type', draft.withField('Content-Type', 'text/plain'), 415],
    ['a form', draft.withField('Content-Type', 'application/x-www-form-urlencoded'), 415],
    ['an unknown encoding', draft.withField('Content-Encoding', 'compress'), 415],
  ];
}

/** All values that break exactly one rule of the schema or of one of its parts. */
function brokenValues(description: Description, schema: Schema, value: WireJson, at = 'the body'): Broken<WireJson> {
  const { type, ...rest } = description.resolve(schema);
  const own = [
    ...[...ofOtherTypes(type), ...outOfRange(type, rest)].map(
      (other) => [`${at} is ${describeText(other)}`, other] as const,
    ),
  ];
  if (value instanceof WireObject) return [...own, ...brokenMembers(description, rest, value, at)];
  if (!Array.isArray(value)) return own;
  const items = value as readonly WireJson[];
  const { minItems = 0, maxItems } = rest;
  const first = items[0];
  return [
    ...own,
    ...(minItems > 0 ? [[`${at} is empty`, []] as const] : []),
    ...(maxItems === undefined || first === undefined
      ? []
      : [[`${at} has ${maxItems + 1} items`, Array.from({ length: maxItems + 1 }, () => first)] as const]),
    ...(first === undefined
      ? []
      : brokenValues(description, rest.items!, first, `${at}[0]`).map(
          ([fault, other]) => [fault, [other, ...items.slice(1)]] as const,
        )),
  ];
}

function brokenMembers(description: Description, schema: Schema, value: WireObject, at: string): Broken<WireJson> {
  const { properties = {}, required = [] } = schema;
  const { members } = value;
  return [
    ...['colour', '__proto__', 'constructor', ''].map(
      (name) => [`${at} has "${name}"`, new WireObject([...members, [name, 'red']])] as const,
    ),
    ...members.flatMap(([name, member], index) => [
      ...(required.includes(name)
        ? [[`${at} lacks ${name}`, new WireObject(members.filter((_, other) => other !== index))] as const]
        : []),
      [`${at} has ${name} twice`, new WireObject([...members, [name, member]])] as const,
      ...brokenValues(description, properties[name]!, member, `${at}.${name}`).map(
        ([fault, other]) => [fault, value.with(index, other)] as const,
      ),
    ]),
  ];
}

/** One value of each other JSON type. */
function ofOtherTypes(type: string | undefined): WireJson[] {
  const values: Readonly<Record<string, WireJson>> = {
    boolean: true,
    integer: new WrittenJson('7'),
    string: 'seven',
    array: [],
    object: new WireObject([]),
  };
  const others = Object.entries(values).filter(
    ([other]) => other !== type && !(type === 'number' && other === 'integer'),
  );
  // An empty object also lacks the required members. A member that may be omitted must still not be null.
  return [null, ...others.map(([, value]) => value)];
}

function outOfRange(type: string | undefined, schema: Schema): WireJson[] {
  if (type === 'integer') {
    const { min, max } = boundsOf(schema);
    const texts = ['1.5', '1e999', '-1e400', '0.1e-400', '"7"'];
    return [min - 1n, max + 1n, ...texts.map((text) => new WrittenJson(text))];
  }
  if (type !== 'string') return [];
  const { enum: allowed, minLength = 0, maxLength, pattern, format } = schema;
  if (allowed !== undefined) return allowed.flatMap((value) => [String(value).toUpperCase(), ` ${String(value)}`, '']);
  if (format === 'date-time') return NO_TIMES;
  return [
    ...(minLength > 0 ? [''] : []),
    ...(maxLength === undefined ? [] : ['x', '\u{1F98A}'].map((character) => character.repeat(maxLength + 1))),
    ...(pattern === String.raw`\S` ? [' ', '\t\n', '\u3000'] : []),
    ...['"a\\u0000"', '"\\ud800"', '"a\\udc00b"', '"\\udc00\\ud800"', '"a\tb"', '"\\x"'].map(
      (text) => new WrittenJson(text),
    ),
  ];
}

function describeText(value: WireJson): string {
  const text = writeJson(value, new Map());
  return text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text;
}
