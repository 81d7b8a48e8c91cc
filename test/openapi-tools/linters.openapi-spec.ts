import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { DOCUMENT } from './document.js';
import { ibmFindings, line, spectralFindings, type Finding } from './findings.js';
import { judge, REFUSED } from './ibm-refused.js';

describe('Spectral', () => {
  test('finds nothing in the document, by all of its rules and ours', async () => {
    expect((await spectralFindings(DOCUMENT)).map(line)).toEqual([]);
  });

  describe('by our rules', () => {
    let folder: string;
    let rules: string[];

    /** The places of the document that are spoilt, each for one rule. */
    const SPOILT: readonly [rule: string, spoil: (document: Spoilt) => void][] = [
      ['operation-needs-a-key', ({ list }) => Reflect.deleteProperty(list.responses, '401')],
      ['operation-id-is-a-name', ({ list }) => (list.operationId = 'list_pets')],
      ['error-has-the-error-schema', ({ create }) => (create.responses['413'] = { description: 'No.', content: {} })],
      ['error-examples-are-of-the-answer', ({ get }) => (get.responses['400'] = errorOfStatus(404))],
      ['deprecated-operation-says-when-it-ends', ({ get }) => (get.description = 'Deprecated.')],
      ['integer-has-a-size', ({ list }) => (list.parameters = [{ ...LIMIT, schema: { type: 'integer' } }])],
      ['header-is-explained', ({ list }) => (list.responses['200'] = { description: 'Yes.', headers: { Link: {} } })],
    ];

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'animal-store-openapi-'));
      const document = parse(readFileSync(DOCUMENT, 'utf8')) as { paths: Record<string, Record<string, Operation>> };
      const [pets, pet] = [document.paths['/pets']!, document.paths['/pets/{petId}']!];
      for (const [, spoil] of SPOILT) spoil({ list: pets['get']!, create: pets['post']!, get: pet['get']! });
      const file = join(folder, 'spoilt.yaml');
      writeFileSync(file, stringify(document));
      rules = (await spectralFindings(file)).map(({ rule }) => rule);
    });

    afterAll(() => {
      rmSync(folder, { recursive: true });
    });

    test.each(SPOILT.map(([rule]) => rule))('finds what breaks %s', (rule) => {
      expect(rules).toContain(rule);
    });
  });
});

describe("IBM's validator", () => {
  let findings: Finding[];

  beforeAll(async () => {
    findings = await ibmFindings(DOCUMENT);
  });

  test('finds nothing but what is refused with a reason', () => {
    expect(judge(findings, REFUSED).open.map(line)).toEqual([]);
  });

  test('finds everything still that is refused', () => {
    expect(judge(findings, REFUSED).idle.map(({ rule, at }) => `${rule} ${at.source}`)).toEqual([]);
  });
});

interface Operation {
  operationId: string;
  description: string;
  parameters: unknown[];
  responses: Record<string, unknown>;
}

type Spoilt = Record<'list' | 'create' | 'get', Operation>;

const LIMIT = { name: 'limit', in: 'query', description: 'How many.' };

function errorOfStatus(status: number): unknown {
  const schema = { $ref: '#/components/schemas/Error' };
  const example = { code: 'invalid_request', message: 'No.', status };
  return { description: 'No.', content: { 'application/json': { schema, example } } };
}
