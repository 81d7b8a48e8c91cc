import { report, SETTINGS } from '../run.js';
import { useExactNumbers } from './exact.js';
import { createPet, getPet, listPets } from './exact-generated/index.js';

report(async () => {
  useExactNumbers(SETTINGS.baseUrl, SETTINGS.apiKey);
  const created = await createPet({ body: { name: 'New', categoryId: SETTINGS.categoryId, status: 'sold' } });
  const got = await getPet({ path: { petId: SETTINGS.petId } });
  const listed = await listPets({ query: { limit: 10 } });
  const refused = await listPets({ query: { limit: 0 } });
  return { created: created.data, got: got.data, listed: listed.data, refused: refused.error?.code };
});
