import { relative, sep } from 'node:path';
import process from 'node:process';

const ROOT = import.meta.dirname.slice(0, -`${sep}test${sep}support`.length);

/**
 * Jest looks for the patterns of the command line in whole paths, so that `pets` means every test of a checkout in
 * `/home/pets`. Of what it finds this keeps what matches inside the project. The patterns are what follows `--`.
 */
function filter(paths) {
  const dashes = process.argv.indexOf('--');
  const patterns = dashes < 0 ? [] : process.argv.slice(dashes + 1).map((text) => new RegExp(fromRoot(text), 'i'));
  const isWanted = (path) => patterns.length === 0 || patterns.some((pattern) => pattern.test(relative(ROOT, path)));
  return { filtered: paths.filter(isWanted) };
}

/** A path that starts at the root of the file system, or with `./`, starts at the root of the project here. */
function fromRoot(pattern) {
  return pattern.replace(`${ROOT}${sep}`, '^').replace(/^\.\//, '^');
}

// Jest takes it by `require`, which gives a module of this name as it is.
export { filter as 'module.exports' };
