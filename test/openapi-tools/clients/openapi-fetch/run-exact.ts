import { exactClient } from './exact.js';
import { report, SETTINGS } from '../run.js';

report(async () => {
  const store = exactClient(SETTINGS.baseUrl, SETTINGS.apiKey);
  const created = await store.POST('/pets', { body: { name: 'New', categoryId: SETTINGS.categoryId, status: 'sold' } });
  const got = await store.GET('/pets/{petId}', { params: { path: { petId: SETTINGS.petId } } });
  const listed = await store.GET('/pets', { params: { query: { limit: 10 } } });
  const refused = await store.GET('/pets', { params: { query: { limit: 0 } } });
  return { created: created.data, got: got.data, listed: listed.data, refused: refused.error?.code };
});
