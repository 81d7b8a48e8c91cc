import { writeFileSync } from 'node:fs';
import { createApp } from '../create-app.js';
import { readEnvironment } from '../environment.js';
import { runCommand } from './run-command.js';

const FILE = 'docs/openapi.yaml';

await runCommand({
  help: `Usage: npm run openapi

Writes ${FILE} as the service serves it with default settings, whatever the environment says. It needs no database.`,
  failed: `${FILE} was not written.`,
  run: writeDocument,
});

async function writeDocument(): Promise<void> {
  const environment = readEnvironment({ DATABASE_URL: 'postgresql://localhost/none', LOG_LEVEL: 'warn' });
  const app = await createApp(environment);
  await app.listen(0, '127.0.0.1');
  const answer = await fetch(`${await app.getUrl()}/openapi.yaml`);
  writeFileSync(FILE, await answer.text());
  await app.close();
  console.log(`Wrote ${FILE}`);
}
