import { parseArgs } from 'node:util';
import { PEERS, PRODUCT } from './servers.mjs';
import { WORKLOADS } from './workloads.mjs';

const HELP = `Measures the Animal Store against the same three operations written with other stacks.

  npm run bench -- [options]

  --quick             short runs, to see that everything works; its numbers are rough
  --seconds <n>       length of a run (default 5, quick 2)
  --pairs <n>         adjacent pairs per workload and peer (default 4, quick 2)
  --workloads <list>  of ${Object.keys(WORKLOADS).join(', ')}
  --peers <list>      of ${PEERS.join(', ')}
  --subject <name>    what is measured against the peers: ${PRODUCT} (default) or one of the peers
  --growth            also at 1,000, 100,000 and 5,000,000 animals (needs 2 GB of disk)
  --logs              also what access logs and metrics cost the product
  --profile           also where the product's time goes, as flame graphs
  --sections <list>   of ratios, start, logs, growth, profile (default ratios, start)
  --help              this text

A full run of the product writes docs/benchmark.md, its chart and its flame graphs, any other bench/results/.
`;

const SECTIONS = ['ratios', 'start', 'logs', 'growth', 'profile'];

/** Reads the command line. Prints what is wrong with it and exits where it can't be understood. */
export function readOptions() {
  try {
    return parse();
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    process.exit(2);
  }
}

function parse() {
  const { values } = parseArgs({
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
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  const { quick } = values;
  const [subject] = listOf('subject', values.subject, [PRODUCT, ...PEERS]);
  const peers = listOf('peers', values.peers, PEERS).filter((name) => name !== subject);
  const workloads = listOf('workloads', values.workloads, Object.keys(WORKLOADS));
  const sections = new Set(listOf('sections', values.sections ?? 'ratios,start', SECTIONS));
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
    isFullRun: subject === PRODUCT && !quick && values.peers === undefined && values.workloads === undefined,
  };
}

function listOf(option, text, allowed) {
  if (text === undefined) return allowed;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !allowed.includes(name));
  if (unknown.length > 0) throw new Error(`--${option}: ${unknown.join(', ')} is none of ${allowed.join(', ')}`);
  return names;
}

function wholeNumber(option, text) {
  if (!/^[1-9][0-9]{0,2}$/.test(text)) throw new Error(`--${option}: ${text} is not a whole number from 1 to 999`);
  return Number(text);
}
