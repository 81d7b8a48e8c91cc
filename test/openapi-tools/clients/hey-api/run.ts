import { report, SETTINGS } from '../run.js';
import { client } from './generated/client.gen.js';
import { createPet, getPet, listPets } from './generated/index.js';

report(async () => {
  client.setConfig({ baseUrl: SETTINGS.baseUrl, auth: SETTINGS.apiKey });
  const created = await createPet({ body: { name: 'Rex', categoryId: 7, status: 'sold' } });
  const got = await getPet({ path: { petId: created.data?.id ?? 0 } });
  const listed = await listPets({ query: { limit: 10, status: 'sold' } });
  const refused = await listPets({ query: { limit: 0 } });
  return { created: created.data, got: got.data, listed: listed.data, refused: refused.error?.code };
});
