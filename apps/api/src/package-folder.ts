import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the `package.json` of the service is, in a checkout and in the image alike. */
export function packageFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
