import type { INestApplicationContext } from '@nestjs/common';
import { createApp } from '../../apps/api/src/create-app.js';
import { readEnvironment } from '../../apps/api/src/environment.js';
import type { TestDatabase } from './databases.js';

/** The service as it runs in production, without a port: for tests of what lies behind HTTP. The caller closes it. */
export async function openService({
  environment,
}: Pick<TestDatabase, 'environment'>): Promise<INestApplicationContext> {
  return await createApp(readEnvironment({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...environment }));
}
