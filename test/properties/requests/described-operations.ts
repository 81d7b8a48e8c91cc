import type { OpenApiDocument, Operation, Schema } from '../../support/openapi.js';

/** An operation of a document, with everything that a call needs. */
export interface DescribedOperation {
  readonly operation: Operation;
  /** In upper case. */
  readonly method: string;
  /** The path with the prefix of the servers: `/v1/pets/{petId}`. */
  readonly path: string;
  /** The schema of its JSON body, if the operation has a body. */
  readonly body: Schema | undefined;
}

/** How a resource is created whose id is a parameter of a path. */
export interface Collection {
  /** The operation that creates a resource. */
  readonly create: DescribedOperation;
  /** The operation that lists the resources, if there is one. */
  readonly list: DescribedOperation | undefined;
}

/** A document as a source of requests. */
export class Description {
  readonly operations: readonly DescribedOperation[];
  /** The collections, by the name of the path parameter for an id: `petId`. */
  readonly collections: ReadonlyMap<string, Collection>;

  constructor(readonly document: OpenApiDocument) {
    const prefix = new URL(document.servers[0]!.url, 'http://localhost/openapi.json').pathname;
    this.operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        operation,
        method: method.toUpperCase(),
        path: `${prefix}${path}`,
        body: operation.requestBody?.content['application/json']?.schema,
      })),
    );
    this.collections = new Map(
      this.operations.flatMap(({ path }) => {
        const [, collection, name] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
        const create = this.at('POST', collection);
        if (name === undefined || create === undefined) return [];
        return [[name, { create, list: this.at('GET', collection) }] as const];
      }),
    );
  }

  /** The operation of a method at a path of the document. */
  at(method: string, path: string | undefined): DescribedOperation | undefined {
    return this.operations.find((one) => one.method === method && one.path === path);
  }

  /** The operation that reads the resource at an address. */
  readerOf(address: string): DescribedOperation | undefined {
    return this.operations.find(({ method, path }) => method === 'GET' && matches(path, address));
  }

  /** A schema, with its reference resolved. */
  resolve(schema: Schema): Schema {
    const name = schema.$ref?.slice('#/components/schemas/'.length);
    const named = name === undefined ? schema : this.document.components.schemas[name];
    if (named === undefined) throw new Error(`${schema.$ref ?? ''} is not in the document`);
    const parts = (named.allOf ?? []).map((part) => this.resolve(part));
    return Object.assign({}, ...parts, named, schema) as Schema;
  }
}

function matches(path: string, address: string): boolean {
  const pattern = path
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'))
    .join('[^/?]+');
  return new RegExp(`^${pattern}$`).test(address);
}
