/** Builds the content of the package from scratch: `dist` and the licence. `npm pack` runs this program. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

const PACKAGE = join(import.meta.dirname, '..');
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');

rmSync(join(PACKAGE, 'dist'), { recursive: true, force: true });
copyFileSync(join(PACKAGE, '../../LICENSE'), join(PACKAGE, 'LICENSE'));
const compile = (...options) =>
  spawnSync(process.execPath, [compiler, '--project', PACKAGE, ...options], { stdio: 'inherit' }).status ?? 1;
// CommonJS is for programs and Jest configurations that cannot load ES modules.
const commonJs = ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'];
process.exitCode = compile() || compile('--outDir', join(PACKAGE, 'dist/cjs'), ...commonJs);
writeFileSync(join(PACKAGE, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
