import { randomBytes } from 'node:crypto';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { onDatabase } from '../errors/on-database.js';
import { Secret } from './secret.mapping.js';

const SECRET_BYTES = 32;

/** Secrets that all instances of the service share. They need no configuration, because they are created at their first use. */
export class ServiceSecrets {
  constructor(private readonly entityManager: SqlEntityManager) {}

  /** 32 random bytes; the same for one name on all instances, as long as the database exists. */
  get(name: string): Promise<Buffer> {
    return onDatabase(async () => {
      const em = this.entityManager.fork();
      // Instances that start together may all insert. The first insert succeeds, and all instances read its value.
      await em
        .createQueryBuilder(Secret)
        .insert({ name, value: randomBytes(SECRET_BYTES).toString('hex') })
        .onConflict('name')
        .ignore()
        .execute();
      const { value } = await em.findOneOrFail(Secret, { name });
      return Buffer.from(value, 'hex');
    });
  }
}
