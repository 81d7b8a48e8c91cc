import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestPicture, type RequestFiles } from '../../tools/pictures/request-picture.ts';
import { sectionOf } from '../../tools/pictures/sections.ts';
import { buildOnce } from '../support/built-server.js';

const ROOT = join(import.meta.dirname, '../..');

beforeAll(async () => {
  await buildOnce();
}, 120_000);

test('docs/architecture.md draws the way of a request (npm run docs:pictures)', () => {
  const options = { cwd: ROOT, encoding: 'utf8' } as const;
  const lines = execFileSync(process.execPath, ['bench/measure/request-files.mjs', '--json'], options).trim();
  const files = JSON.parse(lines.split('\n').at(-1)!) as RequestFiles;
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  expect(sectionOf(page, 'request')).toBe(requestPicture(files));
}, 60_000);
