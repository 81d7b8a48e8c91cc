/** Compares the results with the targets. */
import { readFileSync } from 'node:fs';
import { URL } from 'node:url';
import { PRODUCT, UNACCELERATED } from '../servers.mjs';
import { median } from '../statistics.mjs';
import { pets, fairnessOf, growthOf, plainRouteCost, settingCost, sizesOf } from './sections.mjs';
import { number, table } from './markdown.mjs';

const targets = JSON.parse(readFileSync(new URL('../targets.json', import.meta.url), 'utf8'));

const WORKLOADS = ['W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7', 'W8', 'W9'];
const GROWTH_WORKLOADS = ['W1', 'W2', 'W3', 'W4', 'W5', 'deep page'];

/**
 * `measured` holds the sections of the results; a target whose section is missing shows a dash. The product without
 * accelerators must meet only the floors.
 */
export function targetTables(subject, measured, comparisons) {
  const { start, logs, 'plain-route': plainRoute, fairness, growth } = measured;
  const counts = { holds: 0, fails: 0 };
  const judge = (value, { atLeast, atMost }) => {
    if (value === undefined || (atLeast ?? atMost) === undefined) return '–';
    const holds = atLeast === undefined ? value <= atMost : value >= atLeast;
    counts[holds ? 'holds' : 'fails']++;
    const limit = atLeast ?? atMost;
    const sign = atLeast === undefined ? (holds ? '≤' : '>') : holds ? '≥' : '<';
    // Four decimals if two decimals would show the value as equal to the limit.
    const digits = Number(value.toFixed(2)) === limit ? 4 : 2;
    const text = `${number(value, digits)} ${sign} ${limit}`;
    return holds ? text : `**${text}**`;
  };

  const floors = subject === UNACCELERATED ? targets.throughput.slice(0, 1) : targets.throughput;
  const throughput = floors.map(({ name, than, atLeast }) => [
    name,
    ...WORKLOADS.map((workload) => judge(comparisons?.ratio(than, workload), { atLeast: atLeast[workload] })),
  ]);
  const p99 = [
    `p99, in units of ${targets.p99.than}'s`,
    ...WORKLOADS.map((workload) => judge(comparisons?.latencyRatio(targets.p99.than, workload, 'p99'), targets.p99)),
  ];

  const others = [
    ...['W1-single', 'W3-single'].map((workload) => [
      `latency (p50) of ${workload.slice(0, 2)} on one connection, in units of ${targets.oneConnection.than}'s`,
      judge(comparisons?.latencyRatio(targets.oneConnection.than, workload, 'p50'), targets.oneConnection),
    ]),
    [
      `start to first 200, in units of ${targets.start.than}'s`,
      judge(
        startRatio(start?.data, targets.start.than, ({ startMilliseconds }) => median(startMilliseconds)),
        targets.start,
      ),
    ],
    [
      `memory under W6, in units of ${targets.memory.than}'s`,
      judge(
        startRatio(start?.data, targets.memory.than, ({ peak }) => peak),
        targets.memory,
      ),
    ],
    ...['W1', 'W3', 'W4'].map((workload) => [
      `${workload} with access logs, in units of that without`,
      judge(settingCost(logs?.data, 'access logs', workload), targets.accessLogs),
    ]),
    [
      'CPU of a plainly written route up to its handler, in units of that of one written as createPet',
      judge(plainRouteCost(plainRoute?.data, 'on', 'unanswered'), targets.plainRoute),
    ],
    ['the same with the answer', judge(plainRouteCost(plainRoute?.data, 'on', 'answered'), targets.plainRoute)],
    [
      'p99 of W1 while W9 runs at full load on the same instance, in units of that without',
      judge(fairnessOf(fairness?.data), targets.fairness),
    ],
  ];
  const grown = Object.values(growth ?? {}).flatMap(({ postgres, data }) =>
    sizesOf(data)
      .slice(1)
      .map((size) => [
        `${pets(size)}, in units of ${sizesOf(data)[0].toLocaleString('en')}; ${postgres}`,
        ...GROWTH_WORKLOADS.map((workload) => judge(growthOf(data, PRODUCT, workload, size), targets.growth)),
      ]),
  );
  return [
    `${counts.holds} of the measured targets hold, ${counts.fails} do not (those in bold).`,
    table(['throughput and p99', ...WORKLOADS], [...throughput, p99]),
    ...(grown.length === 0 ? [] : [table(['growth', ...GROWTH_WORKLOADS], grown)]),
    table(['all else', 'measured'], others),
  ].join('\n\n');
}

function startRatio(rows, peer, figure) {
  const of = (name) => rows?.find(({ server }) => server === name);
  if (of(PRODUCT) === undefined || of(peer) === undefined) return undefined;
  const [ours, theirs] = [figure(of(PRODUCT)), figure(of(peer))];
  return ours === undefined || theirs === undefined ? undefined : ours / theirs;
}
