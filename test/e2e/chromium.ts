import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { describeUnless } from '../support/describe-unless.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
/** The time limit of the first start of a browser on a busy machine. */
const START_TIMEOUT_MS = 60_000;

/** A page in its own window, and the errors in the page. */
export interface OpenPage {
  readonly page: Page;
  /** The errors of the console, including violations of the policy (CSP), and the exceptions that no script caught. */
  readonly errors: readonly string[];
  /** The addresses of all requests of the page, including the failed requests. */
  readonly requests: readonly string[];
}

export interface Chromium {
  /** Opens a page without cookies and cache. The page is closed after the test. */
  open(options?: BrowserContextOptions): Promise<OpenPage>;
}

/** The program at `CHROMIUM_PATH`, or otherwise the first program with one of the usual names on `PATH`. */
function chromiumPath(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  const places = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return CHROMIUM_PATH ?? places.find((path) => existsSync(path));
}

/** Like `describe`; if the machine has no Chromium, its tests are skipped, and a line says so. */
export const describeInChromium = describeUnless(
  chromiumPath() === undefined
    ? 'No Chromium on PATH, nor at CHROMIUM_PATH: so pages are not tested. On Debian: apt-get install chromium'
    : undefined,
);

/** A browser for the tests of the surrounding {@link describeInChromium}. */
export function useChromium(): Chromium {
  let browser: Browser | undefined;
  beforeAll(async () => {
    // In containers Chromium cannot use its sandbox, and the browser opens only pages that the tests serve.
    browser = await chromium.launch({ executablePath: chromiumPath() ?? '', chromiumSandbox: false });
  }, START_TIMEOUT_MS);
  afterEach(async () => {
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
  });
  afterAll(() => browser?.close());

  return {
    open: async (options = {}) => {
      if (browser === undefined) throw new Error('It has not been started: open pages within tests');
      return watch(await (await browser.newContext(options)).newPage());
    },
  };
}

function watch(page: Page): OpenPage {
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  return { page, errors, requests };
}
