import { report, walk } from '../run.js';
import { createPet, getPet, listPets, type Error as Refusal } from './generated.js';

report(async () => {
  const created = await createPet({ name: 'Rex', categoryId: 7, status: 'sold' });
  const got = await getPet(created.status === 201 ? created.data.id : 0);
  const listed = await listPets({ limit: 10, status: 'sold' });
  const refused = await listPets({ limit: 0 });
  const walked = await walk(async (cursor) => {
    const { data, status, headers } = await listPets({ limit: 2, cursor });
    return { pets: status === 200 ? data : undefined, headers };
  });
  // Whatever its status is, also one that the document does not know yet.
  const { code } = refused.data as Refusal;
  return { created: created.data, got: got.data, listed: listed.data, refused: code, walked };
});
