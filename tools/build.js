/**
 * Brings `dist` up to date with the sources, in place: a program that runs from it is not disturbed.
 *
 *     node tools/build.js                 builds what changed; does nothing where nothing did
 *     node tools/build.js --remove-stale  only removes what no source stands for any more
 *
 * `nest build` compiles into `.build`, which is as deep as `dist`, so that source maps hold in both. When it succeeds, the
 * files that differ are renamed into `dist` one by one, and those whose source is gone are removed: migrations are found
 * by their names there. Several of these programs may run at once: one builds, the others wait for it.
 *
 * It needs Node 20 and nothing else until it builds. Exits with 1, and leaves `dist` as it was, when the sources do not compile.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, sep } from 'node:path';
import process from 'node:process';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, URL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const STAGING = join(ROOT, '.build');
const MANIFEST = join(STAGING, 'manifest.json');
const LOCK = join(STAGING, 'lock');

/** What is compiled is below these folders, in the sources as in the build. */
const SOURCE_FOLDERS = ['apps', 'libs', 'examples'];

/** What the build is made of beside the sources. */
const TOOLCHAIN = [
  'nest-cli.json',
  'tsconfig.base.json',
  'apps/api/tsconfig.app.json',
  'tools/build.js',
  // What is installed, as npm notes it.
  'node_modules/.package-lock.json',
];

/** How often a lock is renewed, and how old one is that nobody renews any more, in milliseconds. */
const RENEWAL_MS = 1_000;
const ABANDONED_MS = 15_000;
const POLL_MS = 50;

process.exitCode = process.argv.includes('--remove-stale') ? removeStale() : await bringUpToDate();

/** @returns the exit code */
async function bringUpToDate() {
  if (isUpToDate(hashOfInputs())) return 0;
  fs.mkdirSync(STAGING, { recursive: true });
  const release = await takeLock();
  try {
    // Read before the compiler reads them: what changes meanwhile makes the next build build again.
    const inputs = hashOfInputs();
    // Another one may have built while this one waited.
    if (isUpToDate(inputs)) return 0;
    for (const name of SOURCE_FOLDERS) fs.rmSync(join(STAGING, name), { recursive: true, force: true });
    const exitCode = await compile();
    if (exitCode === 0) writeManifest(inputs, place());
    return exitCode;
  } finally {
    release();
  }
}

/** Of names and contents: a checkout changes times without contents, and contents without times. */
function hashOfInputs() {
  const hash = createHash('sha256');
  const sources = filesBelow(ROOT).filter((path) => /\.(?:ts|json)$/.test(path) && !/[.-]spec\.ts$/.test(path));
  for (const path of [...TOOLCHAIN, ...sources.sort()]) {
    hash
      .update(`${path}\0`)
      .update(readIfThere(join(ROOT, path)) ?? '')
      .update('\0');
  }
  return hash.digest('hex');
}

/** Whether `dist` is what was made of the inputs with this hash, and nobody touched it since. */
function isUpToDate(inputs) {
  const manifest = readManifest();
  if (manifest?.inputs !== inputs) return false;
  const present = filesBelow(DIST);
  return (
    present.length === Object.keys(manifest.files).length &&
    present.every((path) => manifest.files[path] === stampOf(path))
  );
}

/** Tells a file of `dist` from a later one at the same path. */
function stampOf(path) {
  const found = fs.statSync(join(DIST, path), { throwIfNoEntry: false });
  return found === undefined ? 'gone' : `${found.size} ${found.mtimeMs}`;
}

function compile() {
  const configuration = {
    extends: '../apps/api/tsconfig.app.json',
    compilerOptions: { outDir: '.' },
  };
  fs.writeFileSync(join(STAGING, 'tsconfig.json'), JSON.stringify(configuration));
  const nest = join(ROOT, 'node_modules/@nestjs/cli/bin/nest.js');
  const compiler = spawn(process.execPath, [nest, 'build', '--path', '.build/tsconfig.json'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    compiler.once('error', reject);
    compiler.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Makes `dist` what was compiled, one whole file after the other. @returns what is there then */
function place() {
  const compiled = filesBelow(STAGING);
  for (const path of compiled) {
    const content = fs.readFileSync(join(STAGING, path));
    const target = join(DIST, path);
    if (readIfThere(target)?.equals(content)) continue;
    fs.mkdirSync(dirname(target), { recursive: true });
    const half = join(STAGING, 'half-written');
    fs.writeFileSync(half, content);
    fs.renameSync(half, target);
  }
  const wanted = new Set(compiled);
  for (const path of filesBelow(DIST)) if (!wanted.has(path)) fs.rmSync(join(DIST, path), { force: true });
  return compiled;
}

/** Removes what was compiled from a source that is gone. @returns the exit code */
function removeStale() {
  for (const path of filesBelow(DIST)) {
    const source = path.replace(/\.js(?:\.map)?$/, '.ts');
    if (!fs.existsSync(join(ROOT, source))) fs.rmSync(join(DIST, path), { force: true });
  }
  return 0;
}

function readManifest() {
  const text = readIfThere(MANIFEST)?.toString();
  return text === undefined ? undefined : JSON.parse(text);
}

function writeManifest(inputs, paths) {
  const files = Object.fromEntries(paths.map((path) => [path, stampOf(path)]));
  const half = `${MANIFEST}.half-written`;
  fs.writeFileSync(half, JSON.stringify({ inputs, files }));
  fs.renameSync(half, MANIFEST);
}

/** The paths of all files of the source folders below a folder, relative to that, with slashes. */
function filesBelow(folder) {
  return SOURCE_FOLDERS.flatMap((name) => {
    if (!fs.existsSync(join(folder, name))) return [];
    const entries = fs.readdirSync(join(folder, name), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + (folder.endsWith(sep) ? 0 : 1)),
      );
  }).map((path) => path.replaceAll(sep, '/'));
}

function readIfThere(path) {
  try {
    return fs.readFileSync(path);
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Waits until no other process builds here. Node has no file locks, so this one is a file that its holder renews; that of a
 * holder that was killed is taken over. @returns gives it back
 */
async function takeLock() {
  const holder = JSON.stringify({ host: hostname(), pid: process.pid, since: Date.now() });
  while (!hasTakenLock(holder)) {
    dropAbandonedLock();
    await delay(POLL_MS);
  }
  const isOwn = () => readIfThere(LOCK)?.toString() === holder;
  const renewal = setInterval(() => {
    const now = new Date();
    if (isOwn()) fs.utimesSync(LOCK, now, now);
  }, RENEWAL_MS);
  return () => {
    clearInterval(renewal);
    if (isOwn()) fs.rmSync(LOCK, { force: true });
  };
}

function hasTakenLock(holder) {
  try {
    fs.writeFileSync(LOCK, holder, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function dropAbandonedLock() {
  const aside = `${LOCK}-${process.pid}`;
  try {
    const holder = fs.readFileSync(LOCK, 'utf8');
    if (Date.now() - fs.statSync(LOCK).mtimeMs <= ABANDONED_MS && !isKilled(holder)) return;
    // Put aside first: it may be the lock of another process that was faster here.
    fs.renameSync(LOCK, aside);
    const taken = fs.readFileSync(aside, 'utf8');
    if (taken !== holder) hasTakenLock(taken);
    fs.rmSync(aside);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** @param holder empty for the moment in which the lock is being made */
function isKilled(holder) {
  if (holder === '') return false;
  const { host, pid } = JSON.parse(holder);
  return host === hostname() && !isRunning(pid);
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
