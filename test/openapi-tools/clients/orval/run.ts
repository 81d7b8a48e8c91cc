import { report } from '../run.js';
import { createPet, getPet, listPets, type Error as Refusal } from './generated.js';

report(async () => {
  const created = await createPet({ name: 'Rex', categoryId: 7, status: 'sold' });
  const got = await getPet(created.status === 201 ? created.data.id : 0);
  const listed = await listPets({ limit: 10, status: 'sold' });
  const refused = await listPets({ limit: 0 });
  // Whatever its status is, also one that the document does not know yet.
  return { created: created.data, got: got.data, listed: listed.data, refused: (refused.data as Refusal).code };
});
