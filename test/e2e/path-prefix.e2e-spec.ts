import { createMigratedDatabase } from '../support/databases.js';
import { useApp } from '../support/running-app.js';

const REX = { name: 'Rex', categoryId: 7 };

describe('behind a proxy that takes /shop off', () => {
  const app = useApp(createMigratedDatabase, { PUBLIC_PATH_PREFIX: '/shop', TRUST_PROXY: 'loopback' });

  test('Location, the Link to the next page and that to a successor begin with it', async () => {
    const created = await app.createPet(REX);
    await app.createPet(REX);
    const page = await app.request('/v1/pets?limit=1');
    const pet = await app.request('/v1/pets/1');
    expect(created.headers.get('location')).toBe('/shop/v1/pets/1');
    expect(page.headers.get('link')).toMatch(/^<\/shop\/v1\/pets\?limit=1&cursor=[\w-]+>; rel="next"$/);
    expect(pet.headers.get('link')).toBe('</shop/v1/pets>; rel="successor-version"');
  });

  test('no header field of a request decides about it', async () => {
    const answer = await app.request('/v1/pets/1', { headers: { 'x-forwarded-prefix': '/other' } });
    expect(answer.headers.get('link')).toBe('</shop/v1/pets>; rel="successor-version"');
  });
});
