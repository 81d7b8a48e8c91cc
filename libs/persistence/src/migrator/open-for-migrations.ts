import { MikroORM } from '@mikro-orm/postgresql';
import { postgresOptions, serverOptions } from '../mikro-orm.config.js';
import { migratorOf } from './migrator.js';

/** MikroORM for the migrations of a server. The caller closes it. */
export function openForMigrations(url: string, folders: readonly string[] = []): Promise<MikroORM> {
  // One connection for the lock, one for the migrations. Migrations need no mappings and have no time limits.
  const driverOptions = { ...serverOptions(url).driverOptions, max: 2, application_name: 'animal-store-migrate' };
  const options = { ...postgresOptions(url, 2), extensions: [migratorOf(folders)], driverOptions };
  return MikroORM.init({ ...options, discovery: { warnWhenNoEntities: false } });
}
