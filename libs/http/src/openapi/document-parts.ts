import type { OpenAPIObject } from '@nestjs/swagger';

/** The types of the parts of a document, which Swagger does not export by name. */
type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
type Responses = Operation['responses'];
type Reference = Extract<NonNullable<Responses[string]>, { $ref: string }>;
export type DocumentedResponse = Exclude<NonNullable<Responses[string]>, Reference>;
export type Headers = NonNullable<DocumentedResponse['headers']>;
export type Header = Exclude<Headers[string], Reference>;
export type Schema = Exclude<NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string], Reference>;

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const;

export interface DocumentedOperation {
  readonly method: (typeof METHODS)[number];
  readonly path: string;
  readonly operation: Operation;
}

/** The operations of a document, in its order. */
export function operationsOf({ paths }: OpenAPIObject): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
  );
}

/**
 * Removes a value that a decorator stored in an operation as an extension, and returns it. It is not a part of the
 * document.
 */
export function takeExtension(operation: Operation, name: `x-${string}`): unknown {
  const value = (operation as unknown as Record<string, unknown>)[name];
  Reflect.deleteProperty(operation, name);
  return value;
}

/** The schema of a component to which a reference leads, as in `#/components/schemas/Pet`. */
export function schemaAt({ components }: OpenAPIObject, reference: string): Schema | undefined {
  return components?.schemas?.[reference.slice(reference.lastIndexOf('/') + 1)] as Schema | undefined;
}

/** Swagger writes down responses without a description and content. */
export function isResponse(response: Responses[string]): response is DocumentedResponse {
  return response !== undefined && !('$ref' in response);
}
