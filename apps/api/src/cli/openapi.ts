import { writeFileSync } from 'node:fs';
import { createApp } from '../create-app.js';
import { readEnvironment } from '../settings.js';

// Writes the document as the service serves it with default settings. It needs no database.

const FILE = 'docs/openapi.yaml';

const app = await createApp(readEnvironment({ DATABASE_URL: 'postgresql://localhost/none', LOG_LEVEL: 'warn' }));
await app.listen(0, '127.0.0.1');
const response = await fetch(`${await app.getUrl()}/openapi.yaml`);
writeFileSync(FILE, await response.text());
await app.close();
console.log(`Wrote ${FILE}`);
