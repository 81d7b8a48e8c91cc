import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath, describeInChromium, useChromium } from './chromium.js';

const BAD_PAGE = `<!DOCTYPE html><script>alert('inline')</script><script src="/gone.js"></script>`;

describe('the Chromium of the machine', () => {
  test('is the program that CHROMIUM_PATH names', () => {
    expect(chromiumPath({ CHROMIUM_PATH: '/opt/chrome', PATH: '/usr/bin' })).toBe('/opt/chrome');
  });

  test('is found on PATH by its usual names, where it can be run', () => {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
    try {
      writeFileSync(join(folder, 'chromium'), '', { mode: 0o644 });
      writeFileSync(join(folder, 'google-chrome'), '', { mode: 0o755 });
      expect(chromiumPath({ PATH: `/nowhere:${folder}` })).toBe(join(folder, 'google-chrome'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('is nowhere on a machine without', () => {
    expect(chromiumPath({ PATH: '/nowhere' })).toBeUndefined();
  });
});

describeInChromium('a page under test', () => {
  const chromium = useChromium();
  const server = createServer((request, response) => {
    const isPage = request.url === '/';
    response.writeHead(isPage || request.url === '/favicon.ico' ? 200 : 404, {
      'Content-Type': 'text/html',
      'Content-Security-Policy': "script-src 'self'",
    });
    response.end(isPage ? BAD_PAGE : '');
  });
  let url = '';

  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });

  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  test('tells what its policy refused, what failed, and what it asked for', async () => {
    const { page, errors, requests } = await chromium.open();
    await page.goto(url);
    await page.evaluate("setTimeout(() => { throw new Error('not caught') }, 0)");
    await page.waitForEvent('pageerror');
    expect([...errors].sort()).toEqual([
      expect.stringMatching(/^Executing inline script violates/),
      expect.stringMatching(/^Failed to load resource: .* 404/),
      'not caught',
    ]);
    expect(requests).toContain(`${url}gone.js`);
  });
});
