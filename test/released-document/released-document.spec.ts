import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { breakingChanges } from './breaking-changes.js';
import type { Document } from './document.js';

const ROOT = join(import.meta.dirname, '../..');
const RELEASES = join(ROOT, 'docs/releases');

type Versioned = Document & { readonly info: { readonly version: string } };

function read(path: string): Versioned {
  return parse(readFileSync(path, 'utf8')) as Versioned;
}

/** The released documents in order. The latest release is the last. */
const releases = readdirSync(RELEASES)
  .filter((name) => /^openapi-.*[.]yaml$/.test(name))
  .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));

test('the document breaks nothing that callers of the last release rely on', () => {
  const current = read(join(ROOT, 'docs/openapi.yaml'));
  expect(releases.slice(-1).flatMap((name) => breakingChanges(read(join(RELEASES, name)), current))).toEqual([]);
});

test('each release is named by its version', () => {
  expect(releases).toEqual(releases.map((name) => `openapi-${read(join(RELEASES, name)).info.version}.yaml`));
});
