import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder with the `package.json` of the service, in a checkout and in the image. */
export function packageFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
