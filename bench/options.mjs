import console from 'node:console';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { offers, PEERS, PRODUCT, UNACCELERATED } from './servers.mjs';
import { applicationOf, WORKLOADS } from './workloads.mjs';

const SIZES = '1000,100000,5000000';
const MAX_SIZE = 100_000_000;

const HELP = `Measures the Animal Store against the same operations written with other stacks.

  npm run bench -- [sections] [options]

  sections: of ratios, start, logs, accelerators, plain-route, fairness, instances, growth, profile
            (default ratios start, and fairness where neither peers nor workloads are named)

  --quick             short runs, to see that everything works; its numbers are rough
  --seconds <n>       length of a run (default 5, quick 2)
  --pairs <n>         adjacent pairs per workload and peer (default 4, quick 2)
  --workloads <list>  of ${Object.keys(WORKLOADS).join(', ')}
  --peers <list>      of ${PEERS.join(', ')}
  --subject <name>    what is measured against the peers: ${PRODUCT} (default), ${UNACCELERATED}
                      or one of the peers
  --postgres-bin <f>  folder of the PostgreSQL to measure on, as /usr/lib/postgresql/15/bin (default npm's)
  --postgres-image <i>  or its container image, as postgres:17; needs a Docker engine
  --growth            also at several sizes of the catalogue
  --sizes <list>      which (default ${SIZES}; 5,000,000 pets need 6 GB of disk, 50,000,000 need 13)
  --logs              also what access logs and metrics cost the product
  --profile           also where the product's time goes, as flame graphs
  --sections <list>   the sections, with commas between
  --help              this text

A full run of the product writes docs/benchmark.md, its chart and its flame graphs, any other bench/results/; so do
some sections alone, unless bench/results/ holds the ratios of a full run before. Growth is kept for each kind of
PostgreSQL.
`;

const SECTIONS = [
  'ratios',
  'start',
  'logs',
  'accelerators',
  'plain-route',
  'fairness',
  'instances',
  'growth',
  'profile',
];

/** Reads the command line. If the command line is invalid, prints the error and exits. */
export function readOptions() {
  try {
    return parse();
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    process.exit(2);
  }
}

function parse() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      pairs: { type: 'string' },
      workloads: { type: 'string' },
      peers: { type: 'string' },
      subject: { type: 'string', default: PRODUCT },
      growth: { type: 'boolean', default: false },
      logs: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      sections: { type: 'string' },
      sizes: { type: 'string', default: SIZES },
      'postgres-bin': { type: 'string' },
      'postgres-image': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  const { quick } = values;
  const [subject] = listOf('subject', values.subject, [PRODUCT, UNACCELERATED, ...PEERS]);
  const peers = listOf('peers', values.peers, PEERS).filter((name) => name !== subject);
  const workloads = workloadsOf(subject, values.workloads);
  const named = [...positionals, ...(values.sections === undefined ? [] : [values.sections])];
  const isOfAll = values.peers === undefined && values.workloads === undefined;
  const usual = ['ratios', 'start', ...(isOfAll ? ['fairness'] : [])];
  const sections = new Set(named.length === 0 ? usual : listOf('sections', named.join(), SECTIONS));
  for (const section of ['growth', 'logs', 'profile']) if (values[section]) sections.add(section);
  return {
    quick,
    subject,
    peers,
    workloads,
    sections,
    seconds: wholeNumber('seconds', values.seconds ?? (quick ? '2' : '5')),
    pairs: wholeNumber('pairs', values.pairs ?? (quick ? '2' : '4')),
    starts: quick ? 3 : 7,
    sizes: sizesOf(values.sizes),
    postgres: { programs: values['postgres-bin'], image: values['postgres-image'] },
    isFullRun: subject === PRODUCT && !quick && isOfAll,
  };
}

/** The workloads that the subject supports. Throws if the command line names a workload that the subject does not support. */
function workloadsOf(subject, text) {
  const named = listOf('workloads', text, Object.keys(WORKLOADS));
  const possible = named.filter((workload) => offers(subject, applicationOf(workload)));
  if (text !== undefined && possible.length < named.length) {
    throw new Error(
      `--workloads: ${subject} has no orders, so it is not measured on ${named.filter((name) => !possible.includes(name)).join(', ')}`,
    );
  }
  return possible;
}

function listOf(option, text, allowed) {
  if (text === undefined) return allowed;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !allowed.includes(name));
  if (unknown.length > 0) throw new Error(`--${option}: ${unknown.join(', ')} is none of ${allowed.join(', ')}`);
  return names;
}

/** The sizes in ascending order: every other size is compared with the smallest. */
function sizesOf(text) {
  const sizes = [...new Set(text.split(',').map(Number))].toSorted((one, other) => one - other);
  if (sizes.length < 2) throw new Error('--sizes: it takes two sizes or more to tell how they differ');
  if (!sizes.every((size) => Number.isInteger(size) && size >= 1_000 && size <= MAX_SIZE)) {
    throw new Error(`--sizes: ${text} is no list of whole numbers from 1000 to ${MAX_SIZE}`);
  }
  return sizes;
}

function wholeNumber(option, text) {
  if (!/^[1-9][0-9]{0,2}$/.test(text)) throw new Error(`--${option}: ${text} is not a whole number from 1 to 999`);
  return Number(text);
}
