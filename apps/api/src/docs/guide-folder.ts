import { join } from 'node:path';
import { packageFolder } from '../package-folder.js';

/** The folder of the guide: `docs/api` beside the `package.json` of the service. */
export function guideFolder(): string {
  return join(packageFolder(), 'docs/api');
}
