/** The product's build, and its packages: the benchmark has some of the same name that are not the same objects. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPOSITORY } from '../servers.mjs';

const require = createRequire(join(REPOSITORY, 'package.json'));

export function productPackage(name) {
  return import(pathToFileURL(require.resolve(name)).href);
}

/** @param path in `dist/` */
export function productFile(path) {
  return import(pathToFileURL(join(REPOSITORY, 'dist', path)).href);
}
