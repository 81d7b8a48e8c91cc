import type { OpenAPIObject } from '@nestjs/swagger';
import { jsonOf, yamlOf } from './document-text.js';

/** The document in both of its forms: address, media type, content. */
export function documentFiles(document: OpenAPIObject, prefix = ''): [path: string, type: string, content: string][] {
  const served = prefix === '' ? document : underPrefix(document, prefix);
  return [
    ['/openapi.json', 'application/json', jsonOf(served)],
    ['/openapi.yaml', 'application/yaml', yamlOf(served)],
  ];
}

/**
 * The document as it is served behind a proxy that takes a prefix off: the first of its servers is this one, which it does
 * not name otherwise. A path with servers of its own lies beside the base path, and so below the prefix alone.
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
