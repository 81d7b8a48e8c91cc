import type { Locator, Page } from 'playwright-core';
import { describeInChromium, useChromium, type OpenPage } from './chromium.js';
import { createMigratedDatabase } from '../support/databases.js';
import { TEST_API_KEY, useApp } from '../support/running-app.js';

/** Opens the section of an operation on the page. */
async function opened(page: Page, operation: string): Promise<Locator> {
  const block = page.locator(`.opblock[id$="-${operation}"]`);
  await block.locator('.opblock-summary-control').click();
  await block.locator('.execute').waitFor();
  return block;
}

/** Sends the request as filled in. @returns the response as the page shows it */
async function executed(block: Locator): Promise<{ readonly status: string; readonly body: string }> {
  await block.locator('.execute').click();
  const answer = block.locator('.live-responses-table .response');
  await answer.locator('.highlight-code, .response-col_description__inner').first().waitFor();
  return {
    status: (await answer.locator('.response-col_status').innerText()).trim(),
    body: await answer.locator('.response-col_description').innerText(),
  };
}

async function authorize(page: Page, key: string): Promise<void> {
  await page.locator('.auth-wrapper .authorize').first().click();
  await page.locator('.modal-ux input').fill(key);
  await page.locator('.modal-ux .modal-btn.authorize').click();
  await page.locator('.modal-ux .btn-done').click();
}

describeInChromium('Swagger UI in a browser', () => {
  const chromium = useChromium();
  const app = useApp(createMigratedDatabase);

  async function open(options = {}): Promise<OpenPage> {
    const opened = await chromium.open(options);
    await opened.page.goto(`${app.url}/docs`);
    await opened.page.locator('.opblock').first().waitFor();
    return opened;
  }

  test('adds, lists and gets a pet, asks no other host, and breaks no rule of its policy', async () => {
    const { page, errors, requests } = await open();
    await authorize(page, TEST_API_KEY);

    const create = await opened(page, 'createPet');
    // A value in the form would be the same for everybody who tries the page.
    expect(await create.locator('tr[data-param-name="Idempotency-Key"] input').inputValue()).toBe('');
    await create.locator('textarea').fill(`{"name": "Rex", "categoryId": 7, "status": "sold"}`);
    const created = await executed(create);
    expect(created.status).toBe('201');
    expect(created.body).toContain(`"categoryId": 7`);
    const id = /"id": (?<id>[0-9]+)/.exec(created.body)![1]!;

    const list = await opened(page, 'listPets');
    await list.locator('tr[data-param-name="status"] select').selectOption('sold');
    const listed = await executed(list);
    expect([listed.status, listed.body]).toEqual(['200', expect.stringContaining(`"categoryId": 7`)]);

    const get = await opened(page, 'getPet');
    await get.locator('tr[data-param-name="petId"] input').fill(id);
    const got = await executed(get);
    expect([got.status, got.body]).toEqual(['200', expect.stringContaining(`"categoryId": 7`)]);

    expect(errors).toEqual([]);
    const sent = requests.filter((url) => !url.startsWith('data:'));
    expect(new Set(sent.map((url) => new URL(url).origin))).toEqual(new Set([app.url]));
    expect(sent.filter((url) => url.includes('/v1/')).map((url) => url.slice(app.url.length))).toEqual([
      '/v1/pets',
      expect.stringMatching(/^\/v1\/pets\?.*status=sold/),
      `/v1/pets/${id}`,
    ]);
  });

  test('shows the refusal of a request with a wrong key', async () => {
    const { page } = await open();
    await authorize(page, 'no-key-of-this-service');
    const { status, body } = await executed(await opened(page, 'listPets'));
    expect([status, body]).toEqual(['401', expect.stringContaining('"unauthorized"')]);
    expect(body.toLowerCase()).toContain('www-authenticate');
  });
});
