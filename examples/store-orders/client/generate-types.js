/** Writes `generated/openapi.ts` from the document of the built service with orders. No database is needed: none is asked. */
import { writeFile } from 'node:fs/promises';
import { URL } from 'node:url';
import { typesOf } from '../../../clients/typescript/tools/generate-types.js';

/** The command that runs this program. */
const COMMAND = 'npm run example:types';

const BUILD = new URL('../../../dist/', import.meta.url);

/** @param {string} file of the build */
function load(file) {
  return import(new URL(file, BUILD).href);
}

const { createApp } = await load('apps/api/src/create-app.js');
const { readEnvironment } = await load('apps/api/src/settings/environment.js');
const { OrdersModule } = await load('examples/store-orders/src/index.js');

const environment = readEnvironment({ DATABASE_URL: 'postgresql://localhost/none', LOG_LEVEL: 'warn' });
const app = await createApp(environment, { features: [OrdersModule] });
await app.listen(0, '127.0.0.1');
const types = await typesOf(new URL('/openapi.yaml', await app.getUrl()), COMMAND);
await writeFile(new URL('generated/openapi.ts', import.meta.url), types);
await app.close();
