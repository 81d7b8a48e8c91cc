import { MikroORM } from '@mikro-orm/postgresql';
import { Pet } from '@animal-store/pets-domain';
import { TableSql } from '../tables/table-sql.js';
import { PetMapping, PETS } from './pet.mapping.js';

test('the statements about pets have the names that dashboards and alerts know', () => {
  const orm = new MikroORM({ entities: [PetMapping], dbName: 'none' });
  const { find, pages, add, addOnce } = new TableSql(PETS, orm.getMetadata(Pet)).statements;
  const names = [find, pages, add, addOnce].map(({ name }) => name);
  expect(names).toEqual(['find_pets', 'find_pages', 'add_pets', 'add_pets_once']);
});
