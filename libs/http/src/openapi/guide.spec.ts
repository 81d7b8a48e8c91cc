import { guidePages } from './guide.js';
import { renderMarkdown } from './guide-markdown.js';

const hashed = (name: string) => name;

/** The pages that are made of these files, by address. */
async function pagesOf(files: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string>> {
  return new Map(await guidePages(new Map(Object.entries(files)), hashed));
}

function linksOf(html: string | undefined): string[] {
  const main = /<main class="guide">(?<content>.*)<\/main>/s.exec(html ?? '')?.[1] ?? '';
  return [...main.matchAll(/href="(?<address>[^"]*)"/g)].map(([, address]) => address ?? '');
}

describe('the guide', () => {
  const LINKS =
    '# Guide\n[self](README.md) [page](errors.md) [part](./errors.md#not_found) [here](#guide) ' +
    '[document](../openapi.yaml) [reference](/docs) [away](https://example.com/a.md) ' +
    '[not written yet](other.md) [not served](../../README.md)';

  test('has a page at the address of each file, and its first one at that of the folder, too', async () => {
    const pages = await pagesOf({ 'README.md': '# Guide', 'errors.md': '# Errors', 'rate-limits.md': '# Limits' });
    expect([...pages.keys()].sort()).toEqual([
      ...['/docs/guide', '/docs/guide/', '/docs/guide/errors', '/docs/guide/rate-limits'],
    ]);
  });

  test('has nothing where nothing is written', async () => {
    expect(await pagesOf({})).toEqual(new Map());
  });

  test('has the title of its first heading', async () => {
    const pages = await pagesOf({ 'a.md': 'Before.\n\n# `Link` & *more*\n\n# Later' });
    expect(pages.get('/docs/guide/a')).toContain('<title>Link &amp; more</title>');
  });

  test.each([
    ['/docs/guide/', ['./', 'errors', 'errors#not_found', '#guide', '../../openapi.yaml', '../../docs']],
    ['/docs/guide', ['guide/', 'guide/errors', 'guide/errors#not_found', '#guide', '../openapi.yaml', '../docs']],
  ])('seen from %s leads to what the service serves, wherever a proxy has put it', async (path, addresses) => {
    const pages = await pagesOf({ 'README.md': LINKS, 'errors.md': '# Errors' });
    expect(linksOf(pages.get(path))).toEqual([...addresses, 'https://example.com/a.md']);
  });

  test('shows the text of a link to what is not served', async () => {
    const pages = await pagesOf({ 'README.md': LINKS, 'errors.md': '# Errors' });
    expect(pages.get('/docs/guide/')).toContain('not written yet not served');
  });

  test.each([
    ['Getting started', 'getting-started'],
    ['1. Get a key', '1-get-a-key'],
    ['`idempotency_key_reused`', 'idempotency_key_reused'],
    ["What's *new*, or [changed](a.md)?", 'whats-new-or-changed'],
    ['Java & C#', 'java--c'],
    ['Größe – ok', 'größe--ok'],
  ])('has for the heading %j the anchor %s, as GitHub', (heading, anchor) => {
    const { html } = renderMarkdown(`## ${heading}`, () => undefined);
    expect(/ id="(?<anchor>[^"]*)"/.exec(html)?.[1]).toBe(anchor);
  });

  test('tells headings of the same words apart', () => {
    const { html } = renderMarkdown('## Example\n## Example\n## Example', () => undefined);
    expect([...html.matchAll(/ id="(?<anchor>[^"]*)"/g)].map(([, anchor]) => anchor)).toEqual([
      ...['example', 'example-1', 'example-2'],
    ]);
  });

  test('shows code as it is written', () => {
    const { html } = renderMarkdown('```sh in=repository\ncurl "a" <b> & c\n```', () => undefined);
    expect(html).toBe('<pre><code class="language-sh">curl &quot;a&quot; &lt;b&gt; &amp; c\n</code></pre>\n');
  });

  test('lets a wide table be moved by itself', () => {
    const { html } = renderMarkdown('| a | b |\n|---|---|\n| `1` | [x](#x) |', (href) => href);
    expect(html).toBe(
      '<div class="table"><table><thead><tr><th>a</th><th>b</th></tr></thead>' +
        '<tbody><tr><td><code>1</code></td><td><a href="#x">x</a></td></tr></tbody></table></div>\n',
    );
  });
});
