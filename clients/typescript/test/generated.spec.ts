import { readFileSync } from 'node:fs';
import { DOCUMENT, TYPES, typesOf } from '../tools/generate-types.js';

test('The types of the client are those of the OpenAPI document: `npm run client:types` writes them', async () => {
  expect(readFileSync(TYPES, 'utf8')).toBe(await typesOf(DOCUMENT));
});
