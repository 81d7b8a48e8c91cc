import type { OpenAPIObject } from '@nestjs/swagger';

export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
type Responses = Operation['responses'];
export type Reference = Extract<NonNullable<Responses[string]>, { $ref: string }>;
export type DocumentedResponse = Exclude<NonNullable<Responses[string]>, Reference>;
export type Headers = NonNullable<DocumentedResponse['headers']>;
export type Header = Exclude<Headers[string], Reference>;
export type Schema = Exclude<NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string], Reference>;

/** In the order of a document. */
export const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const;

/** The operations of a document, in its order. */
export function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths)
    .flatMap((item) => METHODS.map((method) => item[method]))
    .filter((operation) => operation !== undefined);
}

/** Returns the response of an operation, or the component to which the operation refers. */
export function resolveResponse(
  { components }: OpenAPIObject,
  response: DocumentedResponse | Reference,
): DocumentedResponse {
  if (!('$ref' in response)) return response;
  return components?.responses?.[nameIn(response)] as DocumentedResponse;
}

/** The name of the component to which a reference points. */
export function nameIn({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
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
