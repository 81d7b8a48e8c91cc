import { randomBytes } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { SqlEntityManager } from '@mikro-orm/sql';
import { Injectable } from '@nestjs/common';
import { onDatabase, DatabaseUnavailableError } from '../errors/unavailability.js';

/** What the instances of the service share: secrets, as hexadecimal digits, and settings. */
export class Secret {
  constructor(
    readonly name: string,
    readonly value: string,
  ) {}
}

export const SecretMapping = defineEntity({
  class: Secret,
  tableName: 'service_secrets',
  properties: {
    name: p.string().length(255).primary(),
    value: p.text(),
  },
});

/** The name of the secret that signs the cursors of pages, for {@link ServiceSecrets.get}. */
export const CURSOR_SECRET = 'page-cursors';

const SECRET_BYTES = 32;

/** A secret is not stored yet, and the database does not store it: it is read only, or its disk is full. */
export class SecretNotStoredError extends DatabaseUnavailableError {
  constructor(
    readonly secret: string,
    cause: unknown,
  ) {
    super(cause);
  }
}

/** Secrets and settings that all instances of the service share. Secrets need no configuration, because they are created at their first use. */
@Injectable()
export class ServiceSecrets {
  constructor(private readonly entityManager: SqlEntityManager) {}

  /**
   * 32 random bytes; the same for one name on all instances, as long as the database exists. A stored secret is only read, so it
   * is also there while the database is read only.
   *
   * @throws SecretNotStoredError
   */
  get(name: string): Promise<Buffer> {
    return onDatabase(async () => {
      const em = this.entityManager.fork();
      const { value } = (await em.findOne(Secret, { name })) ?? (await create(em, name));
      return Buffer.from(value, 'hex');
    });
  }

  /** The text that {@link put} stored under this name; `undefined` if there is none. */
  find(name: string): Promise<string | undefined> {
    return onDatabase(async () => (await this.entityManager.fork().findOne(Secret, { name }))?.value);
  }

  /** Stores a text under this name, for all instances and commands on the database. */
  async put(name: string, value: string): Promise<void> {
    await onDatabase(() => this.entityManager.fork().upsert(Secret, { name, value }));
  }
}

/** Instances that start together may all insert. The first insert succeeds, and all instances read its value. */
async function create(em: SqlEntityManager, name: string): Promise<Secret> {
  try {
    await em
      .createQueryBuilder(Secret)
      .insert({ name, value: randomBytes(SECRET_BYTES).toString('hex') })
      .onConflict('name')
      .ignore()
      .execute();
  } catch (error) {
    throw new SecretNotStoredError(name, error);
  }
  return await em.findOneOrFail(Secret, { name });
}
