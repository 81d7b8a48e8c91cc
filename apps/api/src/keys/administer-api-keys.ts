import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiKeyAdministration } from '@animal-store/auth';
import { DatabaseHealth } from '@animal-store/persistence';
import type { Environment } from '../environment.js';
import { KeyAdministrationModule } from './key-administration.module.js';

/** Runs `work` on the keys of the database, and closes the database afterwards. Fails if a migration is pending. */
export async function administerApiKeys<Result>(
  environment: Environment,
  work: (keys: ApiKeyAdministration) => Promise<Result>,
): Promise<Result> {
  const module = await KeyAdministrationModule.forRoot(environment);
  const context: INestApplicationContext = await NestFactory.createApplicationContext(module, {
    logger: false,
    abortOnError: false,
  });
  try {
    await context.get(DatabaseHealth, { strict: false }).ask();
    return await work(context.get(ApiKeyAdministration, { strict: false }));
  } finally {
    await context.close();
  }
}
