import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMigratedDatabase } from '../support/databases.js';
import { useApp } from '../support/running-app.js';

const app = useApp(createMigratedDatabase);

test('docs/openapi.yaml is what the service serves: `npm run openapi` writes it', async () => {
  const checkedIn = readFileSync(join(import.meta.dirname, '../../docs/openapi.yaml'), 'utf8');
  expect(await (await app.request('/openapi.yaml', { key: null })).text()).toBe(checkedIn);
});
