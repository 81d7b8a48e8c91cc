import type { OpenAPIObject } from '@nestjs/swagger';
import type { DocumentedResponse, Operation, PathItem, Reference } from './document-parts.js';
import { OF_NO_HANDLER } from './error-responses.js';
import { headersOf } from './headers.js';
import { METHODS } from './operations.js';
import { nameIn, resolveResponse } from './references.js';

/** Adds the operation to every address that works without a handler: `OPTIONS`. */
export function addOptions({ paths }: OpenAPIObject): void {
  for (const item of Object.values(paths)) item.options ??= optionsOf(item);
}

/** The first operation of an address decides the name, whether a key is required, and the parameters of the path. */
function optionsOf(item: PathItem): Operation {
  const [{ operationId, tags = [], security, parameters = [] } = {}] = METHODS.flatMap((method) => item[method] ?? []);
  return {
    operationId: nameWith('options', operationId),
    summary: 'Tell the methods of this address',
    description: 'Does nothing. CORS, where it is on, answers preflights without a key and before this.',
    tags,
    parameters: parameters.filter((parameter) => 'in' in parameter && parameter.in === 'path'),
    responses: { 204: { description: 'What the address takes, in `Allow`.', headers: headersOf('Allow') } },
    ...(security !== undefined && { security }),
    [OF_NO_HANDLER]: true,
  } as Operation;
}

/** Adds `HEAD` for every described `GET`: the same responses without their bodies. */
export function addHead(document: OpenAPIObject): void {
  for (const item of Object.values(document.paths)) {
    if (item.get !== undefined) item.head ??= headOf(document, item.get);
    // In the order that readers expect.
    for (const method of METHODS) {
      const operation = item[method];
      Reflect.deleteProperty(item, method);
      if (operation !== undefined) item[method] = operation;
    }
  }
}

function headOf(document: OpenAPIObject, get: Operation): Operation {
  const { operationId, summary = '', responses } = get;
  // The other operations of the address already describe the response to an unsupported method.
  const described = Object.entries(responses).flatMap(([status, response]) =>
    response === undefined || status === '405' ? [] : [[status, bodyless(document, response)] as const],
  );
  return {
    ...get,
    operationId: nameWith('head', operationId),
    summary: `${summary}, without the body`,
    description: `The header fields of the same \`GET\`, which says: ${get.description ?? summary}`,
    responses: Object.fromEntries(described),
  };
}

/** The response without its body. For a component it creates another component. */
function bodyless(document: OpenAPIObject, response: DocumentedResponse | Reference): DocumentedResponse | Reference {
  const { description, headers } = resolveResponse(document, response);
  const without = { description, ...(headers && { headers }) };
  if (!('$ref' in response)) return without;
  const name = `Head${nameIn(response)}`;
  ((document.components ??= {}).responses ??= {})[name] = without;
  return { $ref: `#/components/responses/${name}` };
}

function nameWith(method: string, operationId = ''): string {
  return `${method}${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
}
