/**
 * Renames the service in all files: `npm run rename -- my-store`. HELP says what gets the name.
 *
 * It needs only Node 20 and git. If it refuses, it exits with 1 and changes nothing.
 */
import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const HELP = `Gives the service a name of your own, in one step: npm run rename -- my-store

The package, the aliases (@my-store/http), metrics and alerts (my_store_http_errors_total, MyStoreDown), the database and
its role, containers, manifests, the dashboard, the realm of the challenge and the documents get it; API keys begin with its
initials (msdev, mslive). The licence keeps the names of its authors, as it demands. Metrics, the database's role and the
prefix of keys are known outside of this checkout: rename before the first deploy.

It starts from a clean work tree, so that git shows what it did and can take it back.
`;

/** Names of containers, manifests and database sessions add an ending to this name, and have at most 63 characters. */
const LONGEST_NAME = 40;

/** A key's prefix has 16 characters at most, and its longest ending here is "staging". */
const LONGEST_KEY_PREFIX = 9;
const KEY_ENDINGS = 'dev|test|live|staging';

/** The licence requires that the copyright notice stays. */
const KEPT = ['LICENSE'];

class Refusal extends Error {}

try {
  run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function run([name, ...rest]) {
  if (name === undefined || name === '--help' || rest.length > 0) throw new Refusal(HELP);
  const settings = JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8'));
  refuseName(name, settings);
  refuseUnclean();
  const changes = changesOf(
    renaming({ name: settings.name, keyPrefix: presentKeyPrefix() }, { name, keyPrefix: initialsOf(name) }),
  );
  for (const change of changes) write(change);
  const isFormatted = format(changes.map(({ newPath }) => newPath));
  process.stdout.write(
    `${changes.length} files changed. Look at them with git diff, then: ${isFormatted ? '' : 'npm ci && npm run format && '}npm run lint && npm test\n`,
  );
}

function refuseName(name, { name: present, dependencies, devDependencies }) {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || name.length > LONGEST_NAME)
    throw new Refusal(
      `A name is lower-case words with hyphens, a letter first, at most ${LONGEST_NAME} characters: my-store`,
    );
  if (name === present) throw new Refusal(`It is called ${name} already`);
  if (!present.includes('-'))
    throw new Refusal(
      `The name ${present} is a word that may stand here for something else: take the renaming back with git first`,
    );
  const packages = Object.keys({ ...dependencies, ...devDependencies });
  if (packages.some((dependency) => dependency.startsWith(`@${name}/`)))
    throw new Refusal(
      `Packages that the service uses begin with @${name}/: the aliases of the libraries would hide them`,
    );
}

function refuseUnclean() {
  const { status, stdout } = git('status', '--porcelain');
  if (status !== 0)
    throw new Refusal('This is no checkout of git: git init && git add . && git commit, so that you can take it back');
  if (stdout !== '')
    throw new Refusal(`The work tree is not clean. Commit or stash first, so that you can take it back:\n${stdout}`);
}

/** The key prefix of this checkout. */
function presentKeyPrefix() {
  const source = fs.readFileSync(join(ROOT, 'apps/api/src/keys/development-api-key.ts'), 'utf8');
  return /^const PREFIX = '(?<prefix>[a-z0-9]+)dev';$/m.exec(source).groups.prefix;
}

function wordsOf(name) {
  return name.split('-');
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}

function pascalOf(name) {
  return wordsOf(name).map(capital).join('');
}

function titleOf(name) {
  return wordsOf(name).map(capital).join(' ');
}

function initialsOf(name) {
  const words = wordsOf(name);
  const initials = words.length === 1 ? name.slice(0, 2) : words.map(([letter]) => letter).join('');
  return initials.slice(0, LONGEST_KEY_PREFIX);
}

/** All forms of a name, each with patterns for the characters before and after. The first form is that of file names. */
function formsOf({ name, keyPrefix }) {
  const pascal = pascalOf(name);
  return [
    [name, '(?<![A-Za-z0-9])', '(?![A-Za-z0-9])'],
    [name.replaceAll('-', '_'), '(?<![A-Za-z0-9])', '(?![A-Za-z0-9])'],
    [name.replaceAll('-', '_').toUpperCase(), '(?<![A-Za-z0-9])', '(?![A-Za-z0-9])'],
    [pascal, '(?<![A-Za-z0-9])', '(?![a-z0-9])'],
    [pascal[0].toLowerCase() + pascal.slice(1), '(?<![A-Za-z0-9])', '(?![a-z0-9])'],
    [titleOf(name), '(?<![A-Za-z0-9])', '(?![a-z0-9])'],
    [keyPrefix, '(?<![A-Za-z0-9])', `(?=(?:${KEY_ENDINGS})(?![A-Za-z0-9]))`],
  ];
}

/** @returns a function that replaces all forms in a text in one pass, so that replacements are not replaced again */
function renaming(present, wanted) {
  const forms = formsOf(present);
  const replacements = new Map(formsOf(wanted).map(([text], index) => [forms[index][0], text]));
  const pattern = new RegExp(forms.map(([text, before, after]) => before + escaped(text) + after).join('|'), 'g');
  return (text) => text.replace(pattern, (found) => replacements.get(found));
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The files of git whose content or path changes. */
function changesOf(rename) {
  const paths = git('ls-files', '-z').stdout.split('\0');
  return paths.flatMap((path) => {
    if (path === '' || KEPT.includes(path) || !fs.lstatSync(join(ROOT, path)).isFile()) return [];
    const bytes = fs.readFileSync(join(ROOT, path));
    const text = bytes.toString();
    // Binary files do not change.
    const newText = Buffer.from(text).equals(bytes) ? rename(text) : text;
    const newPath = rename(path);
    return newText === text && newPath === path ? [] : [{ path, newPath, newText, isText: newText !== text }];
  });
}

function write({ path, newPath, newText, isText }) {
  if (isText) fs.writeFileSync(join(ROOT, path), newText);
  if (newPath === path) return;
  fs.mkdirSync(dirname(join(ROOT, newPath)), { recursive: true });
  fs.renameSync(join(ROOT, path), join(ROOT, newPath));
}

/** Formats the files, because a longer or shorter name changes line breaks and tables. @returns whether the formatter is installed */
function format(paths) {
  const formatter = join(ROOT, 'node_modules/prettier/bin/prettier.cjs');
  if (!fs.existsSync(formatter)) return false;
  const { status, stderr } = spawnSync(
    process.execPath,
    [formatter, '--write', '--ignore-unknown', '--log-level', 'warn', ...paths],
    { cwd: ROOT, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return true;
}

function git(...args) {
  return spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
}
