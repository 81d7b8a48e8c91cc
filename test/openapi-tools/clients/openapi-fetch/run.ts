import createClient from 'openapi-fetch';
import type { paths } from './schema.js';
import { report, SETTINGS, walk } from '../run.js';

report(async () => {
  const store = createClient<paths>({
    baseUrl: SETTINGS.baseUrl,
    headers: { authorization: `Bearer ${SETTINGS.apiKey}` },
  });
  const created = await store.POST('/pets', { body: { name: 'Rex', categoryId: 7, status: 'sold' } });
  const got = await store.GET('/pets/{petId}', { params: { path: { petId: created.data?.id ?? 0 } } });
  const listed = await store.GET('/pets', { params: { query: { limit: 10, status: 'sold' } } });
  const refused = await store.GET('/pets', { params: { query: { limit: 0 } } });
  const walked = await walk(async (cursor) => {
    const { data, response } = await store.GET('/pets', { params: { query: { limit: 2, cursor } } });
    return { pets: data, headers: response.headers };
  });
  return { created: created.data, got: got.data, listed: listed.data, refused: refused.error?.code, walked };
});
