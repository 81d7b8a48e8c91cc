import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { createApp } from '../create-app.js';
import { readEnvironment } from '../settings.js';
import { runProgram } from './program.js';

const FILE = 'docs/openapi.yaml';

const program = new Command('openapi')
  .description(`Writes ${FILE} as the service serves it with default settings. It needs no database.`)
  .action(async () => {
    const app = await createApp(readEnvironment({ DATABASE_URL: 'postgresql://localhost/none', LOG_LEVEL: 'warn' }));
    await app.listen(0, '127.0.0.1');
    const response = await fetch(`${await app.getUrl()}/openapi.yaml`);
    writeFileSync(FILE, await response.text());
    await app.close();
    console.log(`Wrote ${FILE}`);
  });
await runProgram(program);
