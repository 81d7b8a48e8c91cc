import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { describeInChromium, useChromium } from '../support/chromium.js';
import { listen } from '../support/listen.js';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = join(ROOT, 'docs/api');
const SITE = join(GUIDE, 'dist');
const PAGES = readdirSync(GUIDE)
  .filter((name) => name.endsWith('.md'))
  .map((name) => (name === 'README.md' ? 'index.html' : name.replace('.md', '.html')));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Serves the built site below a path, as any file server does. */
function siteServer(): Server {
  return createServer(({ url = '' }, response) => {
    const path = new URL(url, 'http://site').pathname.replace(/^[/]guide[/]/, '') || 'index.html';
    try {
      const content = readFileSync(join(SITE, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
}

describe('the built site of the guide', () => {
  let server: Server;
  let base: string;

  beforeAll(async () => {
    const { status, stderr } = spawnSync('npm', ['run', 'docs:build'], { cwd: ROOT, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    server = siteServer();
    base = `http://127.0.0.1:${await listen(server)}/guide/`;
  }, 600_000);

  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  test('has a page for each file, whose links lead to anchors that exist', () => {
    const texts = new Map(PAGES.map((page) => [page, readFileSync(join(SITE, page), 'utf8')]));
    const broken = [...texts].flatMap(([page, text]) =>
      [...text.matchAll(/href="(?<target>(?:[.][/])?[a-z-]*(?:[.]html)?)#(?<anchor>[^"]+)"/g)]
        .filter(({ groups = {} }) => {
          const target = groups['target']!.replace('./', '').replace(/(?<![.]html)$/, '.html');
          return !(texts.get(target === '.html' ? page : target) ?? '').includes(`id="${groups['anchor']}"`);
        })
        .map(([link]) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test('has the package of the client that the first page names', () => {
    const [name] = /animal-store-client-[0-9.]+tgz/.exec(readFileSync(join(GUIDE, 'getting-started.md'), 'utf8'))!;
    expect(readdirSync(SITE)).toContain(name);
  });

  describeInChromium('in a browser', () => {
    const chromium = useChromium();

    test('leads from page to page and to the reference, is searched, and asks no other host', async () => {
      const { page, errors, requests } = await chromium.open();
      await page.goto(base);
      await page.locator('.VPNav a[href="http://127.0.0.1:3000/docs"]').first().waitFor();
      await page.locator('.VPSidebar a', { hasText: 'Retries' }).click();
      await page.locator('main h1', { hasText: 'Retries' }).waitFor();
      await page.locator('.VPNavBarSearchButton').click();
      await page.locator('.VPLocalSearchBox input').fill('idempotency');
      await page.locator('.VPLocalSearchBox .results a').first().click();
      await page.waitForURL(/#/);
      expect(errors).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(base) && !url.startsWith('data:'))).toEqual([]);
    });

    test.each([
      ['light', [255, 255, 255]],
      ['dark', [27, 27, 31]],
    ] as const)('has drawings that are as %s as its theme', async (colorScheme, background) => {
      const { page } = await chromium.open({ colorScheme });
      await page.goto(`${base}paging.html`);
      const pixel = await page.evaluate<number[]>(`(async () => {
        const image = document.querySelector('main img');
        await image.decode();
        const context = document.createElement('canvas').getContext('2d');
        context.drawImage(image, 0, 0);
        return [...context.getImageData(8, 140, 1, 1).data.slice(0, 3)];
      })()`);
      expect(pixel).toEqual(background);
    });
  });
});
