import { createHash } from 'node:crypto';
import { readExport, type ExportPart } from './export-reader.js';
import { BrokenExportError } from './broken-export.error.js';

const HEADER = {
  format: 'table-export',
  version: 1,
  exportedAt: '2026-11-23T00:00:00.000Z',
  database: 'PostgreSQL 18.4',
  migrations: ['1_first'],
  tables: [{ schema: null, name: 'pets', columns: ['id', 'name'] }],
};
const ROWS = [
  ['9007199254740993', 'Rex'],
  ['9223372036854775807', 'a "name"\nof\u2028two lines, ünïcode 🐈'],
  ['-1', null],
];
const SEQUENCE = { sequence: { schema: null, name: 'pets_id_seq', last: '9', called: true } };

/** An export of these lines, with the trailer that belongs to them. */
function exportOf(lines: readonly unknown[], rows = ROWS.length): Buffer {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const sha256 = createHash('sha256').update(body).digest('hex');
  return Buffer.from(`${body}${JSON.stringify({ end: { rows, sha256 } })}\n`);
}

const WHOLE = exportOf([HEADER, { table: { schema: null, name: 'pets' } }, ...ROWS, SEQUENCE]);

/** All parts, from bytes that come in pieces of this size. */
async function partsOf(bytes: Buffer, size = bytes.length): Promise<ExportPart[]> {
  async function* pieces() {
    for (let start = 0; start < bytes.length; start += size) {
      yield await Promise.resolve(bytes.subarray(start, start + size));
    }
  }
  const parts: ExportPart[] = [];
  for await (const part of readExport(pieces())) parts.push(part);
  return parts;
}

describe('reading an export', () => {
  test.each([1, 2, 7, 64, WHOLE.length])('gives the same in pieces of %i bytes', async (size) => {
    const parts = await partsOf(WHOLE, size);
    expect(parts[0]).toEqual({ header: HEADER });
    expect(parts.flatMap((part) => ('rows' in part ? part.rows : []))).toEqual(ROWS);
    expect(parts.at(-1)).toEqual(SEQUENCE);
  });

  test('is refused wherever the file ends too soon', async () => {
    for (let length = 0; length < WHOLE.length; length += 1) {
      await expect(partsOf(WHOLE.subarray(0, length))).rejects.toThrow(BrokenExportError);
    }
  });

  test('is refused for each byte that is another one', async () => {
    for (let index = 0; index < WHOLE.length; index += 1) {
      const changed = Buffer.from(WHOLE);
      changed[index] = changed[index]! ^ 1;
      await expect(partsOf(changed)).rejects.toThrow(BrokenExportError);
    }
  });

  test.each([
    ['something behind the trailer', Buffer.concat([WHOLE, Buffer.from('[]\n')]), 'Nothing was imported'],
    ['a second export behind it', Buffer.concat([WHOLE, WHOLE]), 'Nothing was imported'],
    ['another format', Buffer.from('{"format":"else"}\n'), 'does not begin as one'],
    ['a later version', exportOf([{ ...HEADER, version: 2 }], 0), 'of version 2 of the format'],
    ['a row too few', exportOf([HEADER, { table: { schema: null, name: 'pets' } }, ...ROWS], 4), '3 rows of 4'],
    [
      'a row of another length',
      exportOf([HEADER, { table: { schema: null, name: 'pets' } }, ['1']], 1),
      'not the columns',
    ],
    ['a row of no table', exportOf([HEADER, ['1', 'Rex']], 1), 'not the columns'],
    [
      'a table that the header does not have',
      exportOf([HEADER, { table: { schema: null, name: 'x' } }], 0),
      'the table x',
    ],
    ['a line that means nothing', exportOf([HEADER, { other: 1 }], 0), 'means nothing'],
  ])('is refused for %s', async (_what, bytes, reason) => {
    await expect(partsOf(bytes)).rejects.toThrow(reason);
  });
});
