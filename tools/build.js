/**
 * Builds `dist` by `nest build` if something has changed since it was built.
 *
 * The compiler writes into a folder of its own, which then takes the place of `dist`. So neither a running program nor a second
 * build sees half of a build, sources that do not compile leave `dist` as it was, and nothing stays of a source that was
 * deleted: migrations are found there by name.
 *
 * It prints to standard error, because the standard output belongs to the program that runs next.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

/** Of the same depth as `dist`, so that the paths in source maps are right in both. */
const STAGING = `.dist-${process.pid}`;

/** The file of a build that holds the hash of its inputs. */
const INPUTS = 'inputs.sha256';

// npm runs this with the Node of node_modules. With an older one the service would end in an error of some module of Node.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `The service needs Node 24, and this is ${process.version}: the script of the package "node" that installs it did not run. ` +
      'Run npm rebuild node, or install Node 24.\n',
  );
  process.exit(1);
}

const inputs = hashOfInputs();
if (!isBuilt()) process.exitCode = build();

/** The hash of names and contents. Times would not do: a checkout can change them without the contents, and vice versa. */
function hashOfInputs() {
  const folders = ['apps', 'libs', 'examples'].filter((folder) => existsSync(join(ROOT, folder)));
  const sources = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((path) => join(folder, path)),
  );
  const compiled = sources.filter((path) => /(?<![.-]spec)[.]ts$|tsconfig.*[.]json$/.test(path)).sort();
  const hash = createHash('sha256');
  // The last one is npm's list of the installed packages.
  for (const path of [...compiled, 'nest-cli.json', 'tsconfig.base.json', 'node_modules/.package-lock.json'])
    hash.update(`${path}\0${readFileSync(join(ROOT, path))}\0`);
  return hash.digest('hex');
}

function isBuilt() {
  const file = join(DIST, INPUTS);
  return existsSync(file) && readFileSync(file, 'utf8') === inputs;
}

/** @returns the exit code */
function build() {
  process.stderr.write('Building…\n');
  removeLeftovers();
  const configuration = `${STAGING}.json`;
  writeFileSync(
    join(ROOT, configuration),
    JSON.stringify({ extends: './apps/api/tsconfig.app.json', compilerOptions: { outDir: STAGING } }),
  );
  try {
    const compiler = [join(ROOT, 'node_modules/@nestjs/cli/bin/nest.js'), 'build', '--path', configuration];
    const { status } = spawnSync(process.execPath, compiler, { cwd: ROOT, stdio: ['ignore', 2, 2] });
    if (status !== 0) return status ?? 1;
    writeFileSync(join(ROOT, STAGING, INPUTS), inputs);
    // A build that began at the same time may be first.
    if (!isBuilt()) replaceDist();
    return 0;
  } finally {
    for (const path of [STAGING, configuration]) rmSync(join(ROOT, path), { recursive: true, force: true });
  }
}

/** Removes what builds left behind that were killed. No build takes this long. */
function removeLeftovers() {
  const oldest = Date.now() - 600_000;
  for (const name of readdirSync(ROOT).filter((entry) => entry.startsWith('.dist-'))) {
    const found = statSync(join(ROOT, name), { throwIfNoEntry: false });
    if (found !== undefined && found.mtimeMs < oldest) rmSync(join(ROOT, name), { recursive: true, force: true });
  }
}

function replaceDist() {
  const previous = join(ROOT, `${STAGING}-previous`);
  if (existsSync(DIST)) renameSync(DIST, previous);
  renameSync(join(ROOT, STAGING), DIST);
  rmSync(previous, { recursive: true, force: true });
}
