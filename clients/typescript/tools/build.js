/** Builds the content of the package from scratch: `dist` and the licence. `npm pack` runs this program. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

const PACKAGE = join(import.meta.dirname, '..');
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');

rmSync(join(PACKAGE, 'dist'), { recursive: true, force: true });
copyFileSync(join(PACKAGE, '../../LICENSE'), join(PACKAGE, 'LICENSE'));
const { status } = spawnSync(process.execPath, [compiler, '--project', PACKAGE], { stdio: 'inherit' });
process.exitCode = status ?? 1;
