/**
 * Updates `dist` from the sources, in place, without disturbing a program that runs from it.
 *
 *     node tools/build.js                 builds if sources have changed
 *     node tools/build.js --remove-stale  only removes files whose source was deleted
 *
 * `nest build` compiles into `.build`, which has the same depth as `dist`, so that source maps are valid in both. After success,
 * changed files are renamed into `dist` one by one, and files whose source was deleted are removed, because migrations are found
 * there by name. If several of these programs run at the same time, one builds and the others wait.
 *
 * Until it builds, it needs only Node 20. If the sources do not compile, it exits with 1 and does not change `dist`.
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

/** The folders that are compiled, with the same names in the sources and in the build. */
const SOURCE_FOLDERS = ['apps', 'libs', 'examples'];

/** The inputs of the build in addition to the sources. */
const TOOLCHAIN = [
  'nest-cli.json',
  'tsconfig.base.json',
  'apps/api/tsconfig.app.json',
  'tools/build.js',
  // npm's list of the installed packages.
  'node_modules/.package-lock.json',
];

/** The interval in which a lock is renewed, and the age of a lock that is abandoned, in milliseconds. */
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
    // Computed before the compiler reads the files, so that files that change meanwhile are built again the next time.
    const inputs = hashOfInputs();
    // Another process may have built while this one waited.
    if (isUpToDate(inputs)) return 0;
    for (const name of SOURCE_FOLDERS) fs.rmSync(join(STAGING, name), { recursive: true, force: true });
    const exitCode = await compile();
    if (exitCode === 0) writeManifest(inputs, place());
    return exitCode;
  } finally {
    release();
  }
}

/** The hash of names and contents. Times are not used, because a checkout can change times without contents and vice versa. */
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

/** Whether `dist` was built from the inputs with this hash and has not changed since. */
function isUpToDate(inputs) {
  const manifest = readManifest();
  if (manifest?.inputs !== inputs) return false;
  const present = filesBelow(DIST);
  return (
    present.length === Object.keys(manifest.files).length &&
    present.every((path) => manifest.files[path] === stampOf(path))
  );
}

/** Identifies a version of a file of `dist`. */
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

/** Replaces `dist` by the compiled files, one whole file after the other. @returns the files of `dist` */
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

/** Removes compiled files whose source was deleted. @returns the exit code */
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

/** The relative paths of all files of the source folders below a folder, with slashes. */
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
 * Takes the lock of the build, or waits for it. Node has no file locks, so the lock is a file that its holder renews. The lock of
 * a killed process is taken over. @returns a function that releases the lock
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
    // Renamed first, because it may already be the lock of another process that was faster.
    fs.renameSync(LOCK, aside);
    const taken = fs.readFileSync(aside, 'utf8');
    if (taken !== holder) hasTakenLock(taken);
    fs.rmSync(aside);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** @param holder empty while the lock is being created */
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
