import { MikroORM } from '@mikro-orm/postgresql';
import { Pet } from '@animal-store/pets-domain';
import { TableSql } from '../tables/table-sql.js';
import { PetMapping, PETS } from './pet.mapping.js';

test('the statements about pets have the names that dashboards and alerts know', () => {
  const orm = new MikroORM({ entities: [PetMapping], dbName: 'none' });
  const { names } = new TableSql(PETS, orm.getMetadata(Pet));
  expect(names).toEqual({ find: 'find_pets', pages: 'find_pages', add: 'add_pets', addOnce: 'add_pets_once' });
});
