/** Loads the product's build and the product's packages: the benchmark's own packages of the same name are different objects. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPOSITORY } from '../servers.mjs';

const require = createRequire(join(REPOSITORY, 'package.json'));

export function productPackage(name) {
  return import(pathToFileURL(require.resolve(name)).href);
}

/** @param path the path of the file in `dist/` */
export function productFile(path) {
  return import(pathToFileURL(join(REPOSITORY, 'dist', path)).href);
}
