import { runInNewContext } from 'node:vm';
import type { OpenAPIObject } from '@nestjs/swagger';
import { parse } from 'yaml';
import { parseExactJson } from '../json/exact-json.js';
import { documentFiles } from './document-files.js';
import { scriptOf } from './document-script.js';

const EXAMPLE = { id: 9007199254740993n, next: [9223372036854775807n], count: 2, of: '7' };

function documentWith(example: unknown): OpenAPIObject {
  const content = { 'application/json': { example } };
  return {
    openapi: '3.0.3',
    info: { title: 'Animals', version: '1.0.0' },
    paths: { '/animals': { get: { responses: { 200: { description: 'All.', content } } } } },
  };
}

function contentAt(address: string, document: OpenAPIObject): string {
  return documentFiles(document).find(([path]) => path === address)![2];
}

function exampleIn(document: unknown): unknown {
  const { content } = (document as OpenAPIObject).paths['/animals']!.get!.responses['200'] as {
    content: Record<string, { example: unknown }>;
  };
  return content['application/json']!.example;
}

describe('an example with integers beyond 2^53', () => {
  test('keeps every digit in JSON', () => {
    expect(exampleIn(parseExactJson(contentAt('/openapi.json', documentWith(EXAMPLE))))).toEqual(EXAMPLE);
  });

  test('keeps every digit in YAML, where texts of digits stay texts', () => {
    const parsed: unknown = parse(contentAt('/openapi.yaml', documentWith(EXAMPLE)), { intAsBigInt: true });
    expect(exampleIn(parsed)).toEqual({ ...EXAMPLE, count: 2n });
  });

  test('is the text that Swagger UI shows, where a script holds the document', () => {
    const held: unknown = runInNewContext(`(${scriptOf(documentWith(EXAMPLE))})`);
    expect(parseExactJson(exampleIn(held) as string)).toEqual(EXAMPLE);
  });
});

test('An example without any is in a script what it is', () => {
  const held: unknown = runInNewContext(`(${scriptOf(documentWith({ id: 1 }))})`);
  expect(exampleIn(held)).toMatchObject({ id: 1 });
});
