import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createMigratedDatabase } from '../support/databases.js';
import type { OpenApiDocument } from '../support/openapi.js';
import { useApp } from '../support/running-app.js';

const app = useApp(createMigratedDatabase);

/** A module may add operations to those of the checked-in document, and codes to the list of the errors. */
test('docs/openapi.yaml describes the catalogue as the service does: `npm run openapi` writes it', async () => {
  const path = join(import.meta.dirname, '../../docs/openapi.yaml');
  const checkedIn = parse(readFileSync(path, 'utf8')) as OpenApiDocument;
  const served = (await (await app.request('/openapi.json', { key: null })).json()) as OpenApiDocument;
  const operations = (document: OpenApiDocument) => Object.keys(checkedIn.paths).map((name) => document.paths[name]);
  const schemas = ({ components }: OpenApiDocument) =>
    ['Animal', 'NewPet', 'PetStatus', 'Pets'].map((name) => components.schemas[name]);
  expect(operations(served)).toEqual(operations(checkedIn));
  expect(schemas(served)).toEqual(schemas(checkedIn));
  expect(served.components.responses).toMatchObject(checkedIn.components.responses ?? {});
  expect(served.components.headers).toMatchObject(checkedIn.components.headers ?? {});
});
