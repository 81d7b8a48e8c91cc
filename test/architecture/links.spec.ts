import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

const FOLDERS = ['.', 'bench', 'clients/typescript', 'docs', 'docs/adr', 'docs/api', 'examples'];

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
