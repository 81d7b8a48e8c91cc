/** Writes the report: one Markdown page and one chart. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { WARM_UP_SECONDS } from '../measure/warm-up.mjs';
import { RESULTS_FOLDER } from '../results.mjs';
import { isProduct, REPOSITORY } from '../servers.mjs';
import { ORDERABLE } from '../workloads.mjs';
import { ratioChart } from './chart.mjs';
import { Comparisons } from './comparisons.mjs';
import { flameGraph } from './flame-graph.mjs';
import { machineRows } from './machine.mjs';
import { table } from './markdown.mjs';
import * as sections from './sections.mjs';
import { targetTables } from './targets.mjs';

const README = join(REPOSITORY, 'bench/README.md');

const METHOD = `Load, server and PostgreSQL share one machine and the loopback address. Every server runs with
\`NODE_ENV=production\`, one process, a pool of 10 connections and the same table of 100,000 pets in the same
PostgreSQL, which commits durably (\`fsync\` and \`synchronous_commit\` on). The product runs with its defaults,
\`LOG_LEVEL=warn\`, metrics and everything in its contract on. W1 to W4 use 32 connections, W5 64 and W6 512; each connection
sends its next request when it has the answer to the last. The requests are the same for everyone and on every run.
W7 to W9 use 32, and go to the product with its example of a module, Store/Orders, and to peers with orders, on a database of
their own with 100,000 pets and as many orders, and ${ORDERABLE.toLocaleString('en')} pets more, one for each order that W9 places.

The product and a peer are up at the same time and measured in turn, A B B A and so on, after a warm-up of
${WARM_UP_SECONDS} s for both. Each adjacent pair gives a ratio; the tables show the medians. Between two peers a ratio goes by way
of the product. Runs that write start on a table that was reset and vacuumed, after a checkpoint. Before anything is measured, the answers of
each server are compared with the rows of the database, and under load every change that another connection commits must
show in the next read.`;

/** @returns the paths of the written files, relative to the repository */
export async function writeReport({ subject, sections: measured }, { isFullRun, postgres }) {
  // The report of a full run needs the ratios; every other report is a partial result.
  const folder = isFullRun && measured.ratios ? join(REPOSITORY, 'docs') : RESULTS_FOLDER;
  const written = [];
  const write = (name, text) => {
    writeFileSync(join(folder, name), text);
    written.push(relative(REPOSITORY, join(folder, name)));
  };
  const comparisons = measured.ratios && new Comparisons(subject, measured.ratios.data.comparisons);
  if (comparisons) write('benchmark.svg', ratioChart(comparisons, baselineOf(comparisons)));
  for (const { workload, title, tree } of measured.profile?.data ?? []) {
    write(flameGraphFile(workload), flameGraph(`${workload}: ${title.replaceAll('`', '')}`, tree));
  }
  write('benchmark.md', page(folder, subject, measured, comparisons, postgres));
  return written;
}

/** The server whose throughput is 1 in the chart. */
function baselineOf(comparisons) {
  return comparisons.peers.includes('raw-pg') ? 'raw-pg' : comparisons.subject;
}

function page(folder, subject, measured, comparisons, postgres) {
  const { ratios, start, logs, accelerators, 'plain-route': plainRoute, fairness, growth, profile } = measured;
  const parts = [
    '# Benchmark',
    `Written by \`npm run bench\`; how it works and how to run it is in [bench/README.md](${relative(folder, README)}).`,
    ...(comparisons ? ['![Requests per second of every server on every workload](benchmark.svg)'] : []),
    ...(isProduct(subject) ? [section('Targets', [targetTables(subject, measured, comparisons)])] : []),
    ...(comparisons ? comparisonSections(comparisons, ratios) : []),
    ...(start ? [section('Start and memory', [whenStarted(start), sections.startAndMemoryTable(start.data)])] : []),
    ...(logs
      ? [section('What access logs and metrics cost', [when(logs), sections.settingsCostTable(logs.data)])]
      : []),
    ...(accelerators
      ? [section('What accelerators are worth', [when(accelerators), sections.settingsCostTable(accelerators.data)])]
      : []),
    ...(plainRoute
      ? [
          section('What a route written the plain way costs', [
            when(plainRoute),
            PLAIN_ROUTE_TEXT,
            sections.plainRouteTable(plainRoute.data),
          ]),
        ]
      : []),
    ...(fairness
      ? [
          section('What orders leave of the catalogue', [
            when(fairness),
            FAIRNESS_TEXT,
            sections.fairnessTable(fairness.data),
            `p99 while W9 runs in units of that without, by pair: ${sections.fairnessPairs(fairness.data)}.`,
          ]),
        ]
      : []),
    ...(growth
      ? [
          section('Growth', [
            GROWTH_TEXT,
            ...Object.values(growth).flatMap((measurement) => [
              when(measurement),
              sections.growthTable(measurement.data),
            ]),
          ]),
        ]
      : []),
    ...(profile
      ? [
          section('Where the time goes', [
            whenProfiled(profile),
            sections.profileTable(profile.data),
            flameGraphs(profile),
          ]),
        ]
      : []),
    section('Method', [METHOD]),
    section('Machine and versions', [table(['what', 'which'], machineRows(postgres))]),
    ...(comparisons
      ? [section('All pairs', [sections.invalidRunsText(comparisons), sections.allPairs(comparisons)])]
      : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

function flameGraphFile(workload) {
  return `flame-graph-${workload}.svg`;
}

function flameGraphs({ data }) {
  return data
    .map(
      ({ workload, title }) => `![${workload}, ${title.replaceAll('`', '')}: flame graph](${flameGraphFile(workload)})`,
    )
    .join('\n\n');
}

function whenProfiled({ measuredAt, seconds }) {
  return `Measured on ${measuredAt.slice(0, 10)}: ${seconds} s of each, by samples of the CPU profile; idle time left out.`;
}

const PLAIN_ROUTE_TEXT = `CPU of the server for 10,000 requests to a route that does nothing, written as the documentation of Nest and
class-validator teaches (\`@Body() dto\`, an object as the answer), in units of the same route written as createPet is (its request
class, \`@SentIdempotencyKey()\`, \`@ClientSignal()\`, an \`Answer\` with \`Location\`). "Up to the handler": both answer 204.`;

const FAIRNESS_TEXT = `W1 on 32 connections to one instance of the product with Store/Orders, alone and while another 32 place orders (W9):
medians of the runs. Both loads, the server and PostgreSQL share the machine's cores.`;

const GROWTH_TEXT = `One database per size, measured in turn. "Deep page" is page 10,000 of a walk along the \`Link\` headers, 20
pets per page, or the last page but one of a smaller catalogue. W3 asks for 20,000 different pets at most. raw-pg has
no pages; it is here for W1 and W3 to tell what PostgreSQL itself loses.`;

function comparisonSections(comparisons, ratios) {
  const baseline = baselineOf(comparisons);
  const fresh = Object.entries(ratios.data.freshness).map(([server, changes]) => `${server} ${changes}`);
  return [
    section('Throughput', [
      when(ratios),
      `Requests per second of the ${comparisons.subject} in units of each peer's, the medians of the pairs:`,
      sections.ratioTable(comparisons),
      `Every server in units of ${baseline}:`,
      sections.relativeTable(comparisons, baseline),
      'And as they come:',
      sections.throughputTable(comparisons),
    ]),
    section('Latency', [sections.latencyTable(comparisons)]),
    section('CPU', ['CPU seconds per 10,000 requests.', sections.cpuTable(comparisons)]),
    section('Freshness', [
      `Commits of another connection under load, each of which the next read through the server showed: ${fresh.join(', ')}.`,
    ]),
  ];
}

function section(title, parts) {
  return [`## ${title}`, ...parts].join('\n\n');
}

function when({ measuredAt, seconds, pairs, postgres }) {
  return `Measured on ${measuredAt.slice(0, 10)}, runs of ${seconds} s, ${pairs} pairs${postgres ? `, on ${postgres}` : ''}.`;
}

function whenStarted({ measuredAt, seconds, data }) {
  const starts = data[0].startMilliseconds.length;
  return `Measured on ${measuredAt.slice(0, 10)}: the median of ${starts} starts, and ${seconds} s of W6.`;
}
