import { report, SETTINGS, walk } from '../run.js';
import { client } from './generated/client.gen.js';
import { createPet, getPet, listPets } from './generated/index.js';

report(async () => {
  client.setConfig({ baseUrl: SETTINGS.baseUrl, auth: SETTINGS.apiKey });
  const created = await createPet({ body: { name: 'Rex', categoryId: 7, status: 'sold' } });
  const got = await getPet({ path: { petId: created.data?.id ?? 0 } });
  const listed = await listPets({ query: { limit: 10, status: 'sold' } });
  const refused = await listPets({ query: { limit: 0 } });
  const walked = await walk(async (cursor) => {
    const { data, response } = await listPets({ query: { limit: 2, cursor } });
    return { pets: data, headers: response?.headers };
  });
  return { created: created.data, got: got.data, listed: listed.data, refused: refused.error?.code, walked };
});
