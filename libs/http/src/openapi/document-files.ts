import type { OpenAPIObject } from '@nestjs/swagger';
import { stringifyExactJson } from '../json/exact-json.js';
import { yamlOf } from './document-yaml.js';

/** The document in both formats: address, media type, content. An example that is a `bigint` keeps every digit. */
export function documentFiles(document: OpenAPIObject, prefix = ''): [path: string, type: string, content: string][] {
  const served = prefix === '' ? document : underPrefix(document, prefix);
  return [
    ['/openapi.json', 'application/json', stringifyExactJson(served)],
    ['/openapi.yaml', 'application/yaml', yamlOf(served)],
  ];
}

/**
 * The document behind a proxy that removes a prefix: the first of its servers is this one, which has no other name
 * there. A path with its own servers is outside of the base path, so it gets only the prefix.
 */
function underPrefix(document: OpenAPIObject, prefix: string): OpenAPIObject {
  const here = (url: string) => ({ url, description: 'This server' });
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    item.servers === undefined ? item : { ...item, servers: [here(prefix), ...item.servers] },
  ]);
  return {
    ...document,
    servers: [here(`${prefix}/v1`), ...(document.servers ?? [])],
    paths: Object.fromEntries(paths) as OpenAPIObject['paths'],
  };
}
