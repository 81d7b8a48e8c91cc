/**
 * Runs the commands that test the promises, stores their results, and writes docs/reliability.md.
 *
 * `node test/reliability/run.ts [--list | --page | names of commands]`
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { CHECKS, type Check } from './checks.ts';
import { keepRun } from './kept-proofs.ts';
import { writePage } from './write.ts';

const HELP = `Usage: npm run reliability -- [names]

Runs the commands that try what is promised, keeps what they found in docs/reliability, and writes docs/reliability.md.
All of them take two to three hours: test:soak alone takes one. What is not installed is skipped, and says so.

  --list   prints the names of the commands
  --page   runs nothing: writes docs/reliability.md of what is kept
`;

/** @returns whether the command passed */
function run({ name, npm }: Check): boolean {
  const began = performance.now();
  console.log(`\n=== ${name}: npm ${npm.join(' ')}`);
  const { status } = spawnSync('npm', npm, { stdio: 'inherit', env: { ...process.env, RECORD_PROOFS: '1' } });
  const seconds = Math.round((performance.now() - began) / 1000);
  const passed = status === 0;
  keepRun({ command: `npm ${npm.join(' ')}`, date: new Date().toISOString().slice(0, 10), seconds, passed });
  console.log(`=== ${name} ${passed ? 'held' : 'failed'} after ${seconds} s`);
  return passed;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean' }, list: { type: 'boolean' }, page: { type: 'boolean' } },
});
const unknown = positionals.filter((name) => !CHECKS.some((check) => check.name === name));
if (values.help === true) {
  process.stdout.write(HELP);
} else if (values.list === true) {
  console.log(CHECKS.map(({ name }) => name).join('\n'));
} else if (unknown.length > 0) {
  process.stderr.write(`There is no check ${unknown.join(', ')}: ${CHECKS.map(({ name }) => name).join(', ')}\n`);
  process.exitCode = 64;
} else {
  const chosen = CHECKS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const failed = values.page === true ? [] : chosen.filter((check) => !run(check));
  await writePage();
  if (failed.length > 0) process.exitCode = 1;
}
