import { existsSync } from 'node:fs';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './create-app.js';
import { InvalidEnvironmentError, readEnvironment, type Environment } from './environment.js';
import { DevelopmentApiKey } from './keys/development-api-key.js';
import { exitOnSignals } from './shutdown/exit-on-signals.js';

/** EX_CONFIG of sysexits.h: the configuration is wrong, so starting again will not help. */
const EXIT_CONFIGURATION = 78;

try {
  if (existsSync('.env')) process.loadEnvFile();
  const environment = readEnvironment(process.env);
  const app = await createApp(environment);
  exitOnSignals(app, environment);
  await app.listen(environment.PORT, environment.HOST);
  console.log(greeting(await app.getUrl(), environment, developmentKey(app, environment)));
} catch (error) {
  console.error(`animal-store did not start. ${error instanceof Error ? error.message : String(error)}`);
  process.exit(error instanceof InvalidEnvironmentError ? EXIT_CONFIGURATION : 1);
}

/** Only the embedded database has one. */
function developmentKey(app: NestExpressApplication, { DATABASE_URL }: Environment): string | undefined {
  return DATABASE_URL === undefined ? app.get(DevelopmentApiKey, { strict: false }).value : undefined;
}

function greeting(url: string, { DOCS_ENABLED }: Environment, key: string | undefined): string {
  const lines = [`Animal Store is listening on ${url}`];
  if (DOCS_ENABLED) lines.push(`  documentation    ${url}/docs`);
  if (key !== undefined)
    lines.push(`  development key  ${key}`, `  try it           curl -H 'Authorization: Bearer ${key}' ${url}/v1/pets`);
  return lines.join('\n');
}
