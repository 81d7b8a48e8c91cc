import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { breakingChanges, type Document } from './breaking-changes.js';

const ROOT = join(import.meta.dirname, '../..');
const RELEASES = join(ROOT, 'docs/releases');

function read(path: string): Document {
  return parse(readFileSync(path, 'utf8')) as Document;
}

/** The released documents in order. The latest release is the last. */
const releases = readdirSync(RELEASES)
  .filter((name) => /^openapi-.*[.]yaml$/.test(name))
  .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));

const released = read(join(RELEASES, releases.at(-1)!));

test('the document breaks nothing that callers of the last release rely on', () => {
  expect(breakingChanges(released, read(join(ROOT, 'docs/openapi.yaml')))).toEqual([]);
});

test('each release is named by its version', () => {
  expect(releases).toEqual(releases.map((name) => `openapi-${read(join(RELEASES, name)).info.version}.yaml`));
});

/** The last release after a change. `place` is a member of the document, `undefined` removes it. */
function changed(place: string, value: unknown): Document {
  const document = structuredClone(released);
  const names = place.split(' > ');
  const holder = names.slice(0, -1).reduce<object>((object, name) => Reflect.get(object, name) as object, document);
  if (value === undefined) Reflect.deleteProperty(holder, names.at(-1)!);
  else Reflect.set(holder, names.at(-1)!, value);
  return document;
}

const LIST = 'paths > /pets > get';
const CREATE = 'paths > /pets > post';
const SCHEMAS = 'components > schemas';

test.each<[string, string, unknown, string]>([
  ['an operation is gone', CREATE, undefined, 'post /pets is gone'],
  ['one becomes required', `${LIST} > parameters > 0 > required`, true, 'get /pets query limit must be sent'],
  ['less may be sent', `${LIST} > parameters > 0 > schema > maximum`, 50, 'get /pets query limit: maximum'],
  ['a success is gone', `${CREATE} > responses > 201`, undefined, 'post /pets 201 is gone'],
  ['one may be missing', `${SCHEMAS} > Animal > required`, ['id'], 'post /pets 201: required'],
  ['one has a new value', `${SCHEMAS} > PetStatus > enum > 3`, 'lost', 'post /pets 201.status: enum'],
])('it breaks callers that %s', (_rule, place, value, expected) => {
  expect(breakingChanges(released, changed(place, value)).join('\n')).toContain(expected);
});

test.each<[string, string, unknown]>([
  ['an optional parameter is new', `${LIST} > parameters > 4`, { name: 'shop', in: 'query' }],
  ['an answer has a new member', `${SCHEMAS} > Animal > properties > height`, { type: 'integer' }],
  ['an error is new', `${LIST} > responses > 418`, { description: 'A teapot.' }],
])('it breaks nobody that %s', (_rule, place, value) => {
  expect(breakingChanges(released, changed(place, value))).toEqual([]);
});
