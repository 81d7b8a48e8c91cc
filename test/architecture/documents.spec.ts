import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The guide for callers, in `docs/api`, has its own tests (`test/guide`). */
const FOLDERS = ['.', 'bench', 'clients/typescript', 'docs', 'docs/adr', 'docs/releases', 'examples'];

const DOCUMENTS = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The relative links of a document, except for links in code. */
function linksOf(path: string): string[] {
  const text = read(path).replaceAll(/^```.*?^```$|`[^`\n]+`/gms, '``');
  return [...text.matchAll(/\]\((?<target>[^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that GitHub generates from the headings. */
function anchorsOf(path: string): string[] {
  const headings = [...read(path).matchAll(/^#+ (?<title>.+)$/gm)].map(([, title]) => title!);
  return headings.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the documents', () => {
  test.each(DOCUMENTS)('%s links to files and headings that exist', (document) => {
    const broken = linksOf(document).filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? document : join(dirname(document), file);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  const [, questions] = read('docs/architecture.md').split('\n## Where is …\n');
  const rows = [...questions!.matchAll(/^\| (?<question>[^|]+\?) +\| `(?<file>[^`]+)` +\|$/gm)];

  test('answers sixteen questions by a file', () => {
    expect(rows).toHaveLength(16);
  });

  test.each(rows.map(({ groups }) => groups!))('$question is answered by $file, which exists', ({ file }) => {
    expect(existsSync(join(ROOT, file!))).toBe(true);
  });

  test('says rightly that half of the files of apps and libs have at most 30 lines', () => {
    const lines = sourcesIn('apps', 'libs').map(linesOf);
    const small = lines.filter((count) => count <= 30);
    expect(small.length).toBeGreaterThanOrEqual(lines.length / 2);
  });

  test('says for each file of more than 150 lines why it is one file', () => {
    const sources = sourcesIn('apps', 'libs', 'clients', 'examples', 'tools', 'bench');
    const large = sources.filter((file) => linesOf(file) > 150);
    const [, section] = read('docs/architecture.md').split('\n## Large files\n');
    const rows = section!.split('\n## ')[0]!.matchAll(/^\| `(?<file>[^`]+)` +\| [^|]{10,} \|$/gm);
    expect([...rows].map(({ groups }) => groups!['file']).sort()).toEqual(large.sort());
  });
});

/** The sources in the folders, without tests and without what is generated or installed. */
function sourcesIn(...folders: string[]): string[] {
  return folders
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true }).map((file) => join(folder, String(file))))
    .filter((file) => /(?<![.-]spec)(?<!\.d)\.(?:ts|js|mjs)$/.test(file))
    .filter((file) => !/\/(?:node_modules|dist|generated)\//.test(file));
}

function linesOf(file: string): number {
  return read(file).split('\n').length - 1;
}
