/**
 * Ends with a sentence where the build would run on an older Node than the service needs.
 *
 * npm scripts find the Node of `node_modules/.bin` first. It is missing after `npm ci --ignore-scripts`.
 */
import process from 'node:process';

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `The service needs Node 24, and this is ${process.version}: the script of the package "node" that installs it did not run. ` +
      'Run npm rebuild node, or install Node 24.\n',
  );
  process.exitCode = 1;
}
