import type { MikroORM } from '@mikro-orm/core';

/** Runs every pending migration. @returns the names of those that ran, in order */
export async function migrate(orm: MikroORM): Promise<string[]> {
  const done = await orm.migrator.up();
  return done.map(({ name }) => name);
}
