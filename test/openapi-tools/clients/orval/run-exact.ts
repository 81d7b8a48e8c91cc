import { report, SETTINGS } from '../run.js';
import { useStore } from './exact.js';
import { createPet, getPet, listPets } from './exact-generated.js';

report(async () => {
  useStore(SETTINGS.baseUrl, SETTINGS.apiKey);
  const created = await createPet({ name: 'New', categoryId: SETTINGS.categoryId, status: 'sold' });
  const got = await getPet(SETTINGS.petId);
  const listed = await listPets({ limit: 10 });
  const refused = await listPets({ limit: 0 });
  return {
    created: created.data,
    got: got.data,
    listed: listed.data,
    refused: refused.status === 400 ? refused.data.code : undefined,
  };
});
