import { relative, sep } from 'node:path';
import process from 'node:process';

const ROOT = import.meta.dirname.slice(0, -`${sep}test${sep}support`.length);

/**
 * Jest matches the patterns of the command line against absolute paths, so `pets` matches every test of a checkout in
 * `/home/pets`. This filter keeps only paths that match inside the project. The patterns are the arguments after `--`.
 */
function filter(paths) {
  const dashes = process.argv.indexOf('--');
  const patterns = dashes < 0 ? [] : process.argv.slice(dashes + 1).map((text) => new RegExp(fromRoot(text), 'i'));
  const isWanted = (path) => patterns.length === 0 || patterns.some((pattern) => pattern.test(relative(ROOT, path)));
  return { filtered: paths.filter(isWanted) };
}

/** Replaces the root of the project, or `./`, at the start of a pattern by the start of the relative path. */
function fromRoot(pattern) {
  return pattern.replace(`${ROOT}${sep}`, '^').replace(/^\.\//, '^');
}

// Jest loads this file with `require`, which returns an export of this name directly.
export { filter as 'module.exports' };
