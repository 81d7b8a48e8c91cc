import { randomBytes } from 'node:crypto';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { onDatabase } from '../errors/database-errors.js';
import { Secret } from './secret.mapping.js';

const SECRET_BYTES = 32;

/** Secrets that every instance of the service knows, and that nobody has to configure: made at their first use. */
export class ServiceSecrets {
  constructor(private readonly entityManager: SqlEntityManager) {}

  /** 32 random bytes, the same ones for the same name on every instance, for as long as the database lives. */
  get(name: string): Promise<Buffer> {
    return onDatabase(async () => {
      const em = this.entityManager.fork();
      // Instances that start together may all try; the first one wins, and all read what it wrote.
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
