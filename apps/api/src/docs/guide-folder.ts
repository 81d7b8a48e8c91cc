import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the guide is: in `docs/api` beside the `package.json` of the service, in a checkout and in the image alike. */
export function guideFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, 'docs/api');
}
