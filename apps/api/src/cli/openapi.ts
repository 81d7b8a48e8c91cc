import { writeFileSync } from 'node:fs';
import { createApp } from '../create-app.js';
import { readEnvironment } from '../environment.js';

/** Writes `docs/openapi.yaml` as the service serves it with default settings. No database is needed: none is asked. */
const environment = readEnvironment({ DATABASE_URL: 'postgresql://localhost/none', LOG_LEVEL: 'warn' });
const app = await createApp(environment);
await app.listen(0, '127.0.0.1');
const answer = await fetch(`${await app.getUrl()}/openapi.yaml`);
writeFileSync('docs/openapi.yaml', await answer.text());
await app.close();
console.log('Wrote docs/openapi.yaml');
