/** The benchmark: `npm run bench -- --help` prints its options. */
import console from 'node:console';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { compare } from './compare.mjs';
import { createCatalogue, startPostgres } from './databases.mjs';
import { loadGenerator } from './load.mjs';
import { buildPeers, checkName, isProduct, PEERS, PRODUCT } from './servers.mjs';
import { WORKLOADS } from './workloads.mjs';

const RESULTS = join(import.meta.dirname, 'results');

const HELP = `Measures the Animal Store against the same operations written with other stacks, in pairs of runs.

  npm run bench -- [options]

  --subject <name>    what is measured: ${PRODUCT} (default), another build as ${PRODUCT}@/path/to/dist, or a peer
  --peers <list>      with what it is compared: of ${PEERS.join(', ')} (default all), and of the subjects
  --workloads <list>  of ${Object.keys(WORKLOADS).join(', ')} (default all)
  --pairs <n>         pairs of runs for each workload and peer (default 4)
  --seconds <n>       length of a run (default 5)
  --pets <n>          how many pets there are (default 100000)
  --subject-env, --peer-env <NAME=VALUE>
                      a setting of the subject, or of the builds among the peers; may be repeated

It prints one table, and writes every pair to bench/results/. TEST_POSTGRES_BIN=/usr/lib/postgresql/15/bin measures on that PostgreSQL.
`;

// All files of a run are in one folder, which is gone at the end, also after a signal.
const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'));
chmodSync(folder, 0o755);
process.env.TMPDIR = folder;
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

try {
  const options = readOptions();
  if (options === undefined) console.log(HELP);
  else await main(options);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}

async function main({ subject, peers, pets, ...options }) {
  if ([subject, ...peers].some(({ name }) => name.startsWith('nest-'))) buildPeers();
  console.log(`Starting PostgreSQL; the load comes from ${loadGenerator}`);
  const postgres = await startPostgres();
  const databases = new Map();
  const withDatabase = async (server) => {
    const key = isProduct(server.name) ? server.name : 'peers';
    if (!databases.has(key))
      databases.set(key, await createCatalogue(postgres, `catalogue_${databases.size}`, server, pets));
    return { ...server, database: databases.get(key) };
  };
  const compared = {};
  try {
    for (const peer of peers) {
      const both = { subject: await withDatabase(subject), peer: await withDatabase(peer) };
      compared[peer.name] = await compare(both, options);
    }
  } finally {
    for (const { client } of databases.values()) await client.end();
    await postgres.stop();
  }
  const file = keep({ subject: subject.name, ...options, pets, compared });
  console.log(`\n${tableOf(subject.name, compared)}\n\nEvery pair is in ${file}`);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      subject: { type: 'string', default: PRODUCT },
      peers: { type: 'string', default: PEERS.join() },
      workloads: { type: 'string', default: Object.keys(WORKLOADS).join() },
      pairs: { type: 'string', default: '4' },
      seconds: { type: 'string', default: '5' },
      pets: { type: 'string', default: '100000' },
      'subject-env': { type: 'string', multiple: true, default: [] },
      'peer-env': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const peers = values.peers.split(',').filter((name) => name !== values.subject);
  for (const name of [values.subject, ...peers]) checkName(name);
  const workloads = values.workloads.split(',');
  const unknown = workloads.find((name) => WORKLOADS[name] === undefined);
  if (unknown !== undefined) throw new Error(`--workloads: ${unknown} is none of ${Object.keys(WORKLOADS).join()}`);
  const [pairs, seconds, pets] = ['pairs', 'seconds', 'pets'].map((name) => wholeNumber(name, values[name]));
  return {
    subject: { name: values.subject, settings: settingsOf('subject-env', values) },
    peers: peers.map((name) => ({ name, settings: settingsOf('peer-env', values) })),
    workloads,
    pairs,
    seconds,
    pets,
  };
}

function settingsOf(option, values) {
  const pairs = values[option].map((text) => /^(?<name>[A-Z0-9_]+)=(?<value>.*)$/.exec(text)?.groups);
  if (pairs.includes(undefined)) throw new Error(`--${option}: expected NAME=VALUE`);
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

function wholeNumber(option, text) {
  if (!/^[1-9][0-9]{0,7}$/.test(text)) throw new Error(`--${option}: ${text} is not a whole number from 1 on`);
  return Number(text);
}

/** Writes every pair to a file, with what it was measured on. @returns the path of the file */
function keep(measured) {
  const machine = `${availableParallelism()} x ${cpus()[0]?.model.trim()}`;
  const result = { ...measured, machine, node: process.version, load: loadGenerator };
  mkdirSync(RESULTS, { recursive: true });
  const file = join(RESULTS, `${new Date().toISOString().replaceAll(':', '')}.json`);
  writeFileSync(file, JSON.stringify(result, undefined, 2));
  return file;
}

/**
 * Requests per second of the subject in units of each peer's: the median of the pairs, the smallest and the largest. The last row
 * has the geometric mean of the medians.
 */
function tableOf(subject, compared) {
  const rows = Object.entries(WORKLOADS)
    .filter(([workload]) => Object.values(compared).some((pairs) => pairs[workload] !== undefined))
    .map(([workload, { title }]) => [
      `${workload}: ${title}`,
      figureOf(Object.values(compared).flatMap((pairs) => pairs[workload] ?? [])),
      ...Object.values(compared).map((pairs) => ratioOf(pairs[workload] ?? [])),
    ]);
  const means = Object.values(compared).map((pairs) => geometricMean(Object.values(pairs).map(validRatios)));
  rows.push(['geometric mean', '', ...means]);
  const peers = Object.keys(compared).map((peer) => `: ${peer}`);
  const heading = [subject, 'requests/s, p99', ...peers];
  const widths = heading.map((_title, column) => Math.max(...[heading, ...rows].map((row) => row[column].length)));
  return [heading, widths.map((width) => '-'.repeat(width)), ...rows]
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`)
    .join('\n');
}

function figureOf(pairs) {
  const [requests, p99] = ['requestsPerSecond', 'p99'].map((name) => median(pairs.map(({ subject }) => subject[name])));
  return `${requests.toFixed(0)}/s, ${p99.toFixed(1)} ms`;
}

function validRatios(pairs) {
  return pairs.map(({ ratio }) => ratio).filter((ratio) => ratio !== undefined);
}

function ratioOf(pairs) {
  const ratios = validRatios(pairs);
  if (ratios.length === 0) return pairs.length === 0 ? '' : 'invalid';
  const [middle, least, most] = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map((one) => one.toFixed(2));
  return `${middle} (${least} to ${most})`;
}

/** Of the medians of the workloads that have one. */
function geometricMean(ratiosOfWorkloads) {
  const medians = ratiosOfWorkloads.filter(({ length }) => length > 0).map(median);
  if (medians.length === 0) return '';
  return (medians.reduce((product, one) => product * one, 1) ** (1 / medians.length)).toFixed(2);
}

/** The middle value, or the mean of the two middle values. */
function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}
