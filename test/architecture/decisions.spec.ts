import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../docs/adr');
const FILES = readdirSync(FOLDER).filter((name) => name !== 'README.md');
const INDEX = readFileSync(join(FOLDER, 'README.md'), 'utf8');

const MAX_LINES = 30;

/** A link, for example `[ADR 0014](0014-cursors-name-their-collection.md)`. */
const LINK = String.raw`\[ADR (?<number>\d{4})\]\((?<file>\k<number>-[a-z0-9-]+[.]md)\)`;
const DATE = String.raw`\d{4}-\d{2}-\d{2}`;
const STATUS = new RegExp(
  `^(?<state>Proposed|Accepted) on (?<date>${DATE})[.]` +
    `(?: Supersedes ${LINK.replaceAll('number', 'oldNumber').replaceAll('file', 'old')}[.])?` +
    `(?: Amended on ${DATE}: [^\\n]+[.])?` +
    `(?: Superseded on ${DATE} by ${LINK.replaceAll('number', 'newNumber').replaceAll('file', 'successor')}[.])?$`,
);

interface Decision {
  readonly title: string;
  readonly parts: readonly string[];
  readonly status: string;
  readonly lines: number;
}

function read(file: string): Decision {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return {
    title: lines[0]!,
    parts: lines.filter((line) => line.startsWith('## ')).map((line) => line.slice('## '.length)),
    status: /## Status\n\n(?<status>.*?)\n\n## /s.exec(text)?.groups?.['status'] ?? '',
    lines: lines.filter((line) => !line.startsWith('#')).length,
  };
}

function statusOf(file: string): Record<string, string | undefined> {
  return STATUS.exec(read(file).status)?.groups ?? {};
}

describe('the decisions', () => {
  test('have the numbers from 0001 on, without a gap', () => {
    const numbers = FILES.map((file) => file.slice(0, 4)).sort();
    expect(numbers).toEqual(FILES.map((_, index) => String(index + 1).padStart(4, '0')));
  });

  test.each(FILES)('%s has four parts, a dated status and at most 30 lines of text', (file) => {
    const { title, parts, status, lines } = read(file);
    expect(title).toMatch(new RegExp(`^# ADR ${file.slice(0, 4)}: [A-Z]`));
    expect(parts).toEqual(['Status', 'Context', 'Decision', 'Consequences']);
    expect(status).toMatch(STATUS);
    expect(lines).toBeLessThanOrEqual(MAX_LINES);
  });

  test('link each other where one replaces another', () => {
    const replaced = FILES.flatMap((file) => {
      const { successor } = statusOf(file);
      return successor === undefined ? [] : [`${file} by ${successor}`];
    });
    const replacing = FILES.flatMap((file) => {
      const { old } = statusOf(file);
      return old === undefined ? [] : [`${old} by ${file}`];
    });
    expect(replaced.sort()).toEqual(replacing.sort());
  });

  test.each(FILES)('%s is in the index, with its title, status and date', (file) => {
    const { state, date, successor } = statusOf(file);
    const row = INDEX.split('\n').find((line) => line.includes(`](${file})`)) ?? '';
    const cells = row.split('|').map((cell) => cell.trim());
    const title = read(file).title.replace(/^# ADR \d{4}: /, '');
    const status = successor === undefined ? state!.toLowerCase() : 'superseded';
    expect(cells.slice(1, -1)).toEqual([`[${file.slice(0, 4)}](${file})`, title, status, date]);
  });
});
