import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from '../../support/openapi.js';
import { TEST_API_KEY } from '../../support/test-api-key.js';
import { authorizedBy, type HttpRequest } from '../http-request.js';
import type { DescribedOperation, Description } from './described-operations.js';
import { exampleValue, validValues } from './valid-values.js';
import {
  Reference,
  referencesIn,
  WireObject,
  writeJson,
  WrittenJson,
  type WireJson,
  type Writing,
} from './wire-json.js';

type Parameter = Operation['parameters'][number];
type Named<Value> = readonly (readonly [name: string, value: Value])[];

/** The start of a page is known only from the page before. No schema describes it. */
export const CURSOR = 'cursor';

/** The parts of a request before it is sent. */
export class Draft {
  constructor(
    readonly described: DescribedOperation,
    readonly parts: {
      readonly method: string;
      /** The values by the names of the parameters. */
      readonly path: Named<WireJson>;
      /** The values as the address contains them, escaped. */
      readonly query: Named<string>;
      readonly fields: HttpRequest['fields'];
      /** A value that is written as JSON, or raw bytes. */
      readonly body: WireJson | Buffer | undefined;
      readonly writing: Writing;
    },
  ) {}

  with(parts: Partial<Draft['parts']>): Draft {
    return new Draft(this.described, { ...this.parts, ...parts });
  }

  /** Returns a copy in which the field is added, or has other values. */
  withField(name: string, ...values: readonly string[]): Draft {
    const others = this.parts.fields.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
    return this.with({ fields: [...others, ...values.map((value) => [name, value] as const)] });
  }

  /** The references whose resources must be created before the request can be sent. */
  get references(): readonly Reference[] {
    const { path, body } = this.parts;
    const values = path.map(([, value]) => value);
    return [...values, ...(body === undefined || Buffer.isBuffer(body) ? [] : [body])].flatMap(referencesIn);
  }

  /** Whether all resources of the request are created for it: only a broken rule can then prevent it from being carried out. */
  isComplete(description: Description): boolean {
    const { path, body } = this.parts;
    return (
      path.every(([name, value]) => !description.collections.has(name) || value instanceof Reference) &&
      (body === undefined || Buffer.isBuffer(body) || membersAreReferences(description, body))
    );
  }

  /** @param ids the ids that replace its references */
  request(ids: ReadonlyMap<Reference, bigint>): HttpRequest {
    const { method, path, query, fields, body, writing } = this.parts;
    const values = new Map(path);
    const address = this.described.path.replaceAll(/\{(?<name>\w+)\}/g, (_, name: string) => {
      const value = values.get(name)!;
      return encodeURIComponent(typeof value === 'string' ? value : writeJson(value, ids));
    });
    const search = query.map(([name, value]) => `${name}=${value}`).join('&');
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(writeJson(body, ids, writing));
    return { method, target: search === '' ? address : `${address}?${search}`, fields, body: bytes };
  }

  toString(): string {
    const { method, target, fields, body } = this.request(new Map());
    const lines = [`${method} ${target}`, ...fields.map(([name, value]) => `${name}: ${value}`)];
    return `${lines.join(', ')}${body === undefined ? '' : ` ${body.toString().slice(0, 500)}`}`;
  }
}

/** Requests that the document allows. */
export function validDrafts(description: Description, described: DescribedOperation): Arbitrary<Draft> {
  const { method, body, operation } = described;
  const of = (place: string) => operation.parameters.filter((parameter) => parameter.in === place);
  const path = fc.tuple(...of('path').map((parameter) => named(parameter, valueOf(description, parameter))));
  const query = fc.tuple(
    ...of('query')
      .filter(({ name }) => name !== CURSOR)
      .map((parameter) => optional(parameter, textOf(description, parameter).map(encodeURIComponent))),
  );
  const fields = fc.tuple(
    ...of('header').map((parameter) => optional(parameter, textOf(description, parameter).filter(isField))),
  );
  const bodies = body === undefined ? fc.constant(undefined) : validValues(description, body);
  const writing = fc.constantFrom<Writing>('plain', 'plain', 'spaced', 'escaped');
  return fc.record({ path, query, fields, body: bodies, writing }).map(
    (parts) =>
      new Draft(described, {
        ...parts,
        method,
        query: parts.query.filter((pair) => pair !== undefined),
        fields: [...usualFields(described), ...parts.fields.filter((pair) => pair !== undefined)],
      }),
  );
}

/** The request with only the required parts, with the values of the examples in the document. */
export function exampleDraft(description: Description, described: DescribedOperation): Draft {
  const { method, body, operation } = described;
  const needed = operation.parameters.filter(({ required }) => required === true);
  return new Draft(described, {
    method,
    path: needed.map(({ name, schema }) => [name, exampleValue(description, schema, name)] as const),
    query: [],
    fields: usualFields(described),
    body: body === undefined ? undefined : exampleValue(description, body),
    writing: 'plain',
  });
}

function usualFields({ body, operation }: DescribedOperation): HttpRequest['fields'] {
  return [
    ...(operation.security.length === 0 ? [] : [authorizedBy(TEST_API_KEY)]),
    ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
  ];
}

function valueOf(description: Description, { name, schema }: Parameter): Arbitrary<WireJson> {
  return validValues(description, schema, name).map(plain);
}

/** Outside JSON, an integer is written only in plain decimal digits. */
function plain(value: WireJson): WireJson {
  return value instanceof WrittenJson ? (value.value ?? value) : value;
}

function textOf(description: Description, parameter: Parameter): Arbitrary<string> {
  return valueOf(description, parameter).map((value) =>
    typeof value === 'string' ? value : writeJson(value, new Map()),
  );
}

function named<Value>({ name }: Parameter, values: Arbitrary<Value>): Arbitrary<readonly [string, Value]> {
  return values.map((value) => [name, value] as const);
}

function optional<Value>(parameter: Parameter, values: Arbitrary<Value>) {
  const present = named(parameter, values);
  return parameter.required === true ? present : fc.option(present, { nil: undefined });
}

/** A value that a field can have: visible ASCII with inner blanks, which no tool on the path changes. */
function isField(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

function membersAreReferences(description: Description, value: WireJson): boolean {
  if (value instanceof WireObject) {
    return value.members.every(
      ([name, member]) =>
        (!description.collections.has(name) || member instanceof Reference) &&
        membersAreReferences(description, member),
    );
  }
  return !Array.isArray(value) || value.every((item: WireJson) => membersAreReferences(description, item));
}
