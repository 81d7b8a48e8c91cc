import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_ERROR_CODES } from '../../libs/http/src/errors/error-codes.js';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/api/errors.md'), 'utf8');

test('docs/api/errors.md has a row for each code, with its status, and says of each what it means', () => {
  const rows = [...PAGE.matchAll(/^\| \[`(?<code>\w+)`\]\(#[\w-]+\) +\| (?<status>\d+) /gm)];
  const sections = [...PAGE.matchAll(/^## (?<code>[a-z_]+)\n\n\*\*(?<status>\d+)\.\*\*/gm)];
  const ofModules = [...PAGE.matchAll(/^- `(?<code>[a-z_]+)`: \S/gm)].map(([, code]) => code);
  const registered = Object.entries(BASE_ERROR_CODES).map(([code, { status }]) => [code, String(status)]);
  expect(rows.map(([, ...row]) => row)).toEqual(registered);
  const said = new Set(ofModules);
  expect(sections.map(([, ...section]) => section)).toEqual(registered.filter(([code]) => !said.has(code)));
});
