import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Animal, NewPet, PetQuery, PetStatus } from './pets.js';

interface Schema {
  properties?: Record<string, { format?: string }>;
  enum: string[];
}

const { components, paths } = parse(readFileSync(join(import.meta.dirname, '../../../docs/openapi.yaml'), 'utf8')) as {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, { parameters: { name: string; in: string }[] }>>;
};

/** The members of each type: the compiler refuses one that is missing here, or that the type does not have. */
const ANIMAL: Record<keyof Animal, true> = { id: true, name: true, categoryId: true, status: true };
const NEW_PET: Record<keyof NewPet, true> = { name: true, categoryId: true, status: true };
const QUERY: Record<keyof PetQuery, true> = { limit: true, status: true, cursor: true };
const STATUSES: Record<PetStatus, true> = { available: true, pending: true, sold: true };

test('The types of the client have what the OpenAPI document has', () => {
  const { Animal: animal, NewPet: newPet, PetStatus: status } = components.schemas;
  const parameters = paths['/pets']!['get']!.parameters.filter((parameter) => parameter.in === 'query');
  expect(Object.keys(animal!.properties!).sort()).toEqual(Object.keys(ANIMAL).sort());
  expect(Object.keys(newPet!.properties!).sort()).toEqual(Object.keys(NEW_PET).sort());
  expect(parameters.map(({ name }) => name).sort()).toEqual(Object.keys(QUERY).sort());
  expect(status!.enum.toSorted()).toEqual(Object.keys(STATUSES).sort());
});

test('The members that the client reads as int64 are those of the document', () => {
  const properties = Object.values(components.schemas).flatMap((schema) => Object.entries(schema.properties ?? {}));
  const names = properties.filter(([, { format }]) => format === 'int64').map(([name]) => name);
  expect([...new Set(names)].sort()).toEqual(['categoryId', 'id']);
});
