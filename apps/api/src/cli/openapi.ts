import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { createApp } from '../create-app.js';
import { readEnvironment } from '../settings/environment.js';
import { runProgram } from './program.js';

const FILE = 'docs/openapi.yaml';

const program = new Command('npm run openapi')
  .usage(' ')
  .description(`Writes ${FILE} as the service serves it with default settings. It needs no database.`)
  .action(writeDocument);
await runProgram(program, `${FILE} was not written.`);

async function writeDocument(): Promise<void> {
  const environment = readEnvironment({ DATABASE_URL: 'postgresql://localhost/none', LOG_LEVEL: 'warn' });
  const app = await createApp(environment);
  await app.listen(0, '127.0.0.1');
  const response = await fetch(`${await app.getUrl()}/openapi.yaml`);
  writeFileSync(FILE, await response.text());
  await app.close();
  console.log(`Wrote ${FILE}`);
}
