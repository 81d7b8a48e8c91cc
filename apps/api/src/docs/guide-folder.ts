import { join } from 'node:path';
import { packageFolder } from '../package-folder.js';

/** The folder of the guide's pages: `npm run docs:build` makes it. */
export function guideFolder(): string {
  return join(packageFolder(), 'docs/api/dist');
}
