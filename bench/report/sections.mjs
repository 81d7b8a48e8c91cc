/** The tables of the report. */
import { median } from '../statistics.mjs';
import { WORKLOADS } from '../workloads.mjs';
import { sharesOfParts } from './flame-graph.mjs';
import { details, number, numbers, table } from './markdown.mjs';

function titleOf(workload) {
  const { title } = WORKLOADS[workload];
  return workload.endsWith('-single') ? title : `${workload}: ${title}`;
}

/** One row per workload, one column per server; `cell` returns the text of a cell. */
function byWorkload(comparisons, corner, servers, cell, workloads = comparisons.workloads) {
  const rows = workloads.map((workload) => [titleOf(workload), ...servers.map((server) => cell(server, workload))]);
  return table([corner, ...servers], rows);
}

export function ratioTable(comparisons) {
  return byWorkload(comparisons, `${comparisons.subject} in units of`, comparisons.peers, (peer, workload) =>
    number(comparisons.ratio(peer, workload)),
  );
}

export function relativeTable(comparisons, baseline) {
  const servers = [comparisons.subject, ...comparisons.peers];
  const cell = (server, workload) => number(comparisons.relativeTo(baseline, server, workload));
  return byWorkload(comparisons, `in units of ${baseline}`, servers, cell, comparisons.workloadsOf(baseline));
}

export function throughputTable(comparisons) {
  const servers = [comparisons.subject, ...comparisons.peers];
  return byWorkload(comparisons, 'requests per second', servers, (server, workload) =>
    number(comparisons.figure(server, workload, 'requestsPerSecond'), 0),
  );
}

export function latencyTable(comparisons) {
  const servers = [comparisons.subject, ...comparisons.peers];
  return byWorkload(comparisons, 'p50 / p90 / p99 in ms', servers, (server, workload) =>
    numbers(
      ['p50', 'p90', 'p99'].map((percentile) => comparisons.figure(server, workload, percentile)),
      { digits: 1, separator: ' / ' },
    ),
  );
}

export function cpuTable(comparisons) {
  const servers = [comparisons.subject, ...comparisons.peers];
  return byWorkload(comparisons, 'server + PostgreSQL, in s', servers, (server, workload) =>
    numbers(
      ['serverCpu', 'postgresCpu'].map((name) => comparisons.figure(server, workload, name)),
      { digits: 2, separator: ' + ' },
    ),
  );
}

export function startAndMemoryTable(rows) {
  return table(
    ['server', 'first 200 after, ms', 'idle, MiB', 'most under W6, MiB', 'after W6, MiB'],
    rows.map(({ server, startMilliseconds, idle, peak, after }) => [
      server,
      number(median(startMilliseconds), 0),
      ...[idle, peak, after].map((mebibytes) => number(mebibytes, 0)),
    ]),
  );
}

export function settingsCostTable(costs) {
  return table(
    ['setting', 'workload', 'throughput in units of that without', 'pairs'],
    costs.map(({ setting, workload, pairs }) => [
      setting,
      titleOf(workload),
      number(settingCost(costs, setting, workload)),
      pairs.map(({ ratio }) => number(ratio)).join(', '),
    ]),
  );
}

/** Throughput with a setting in units of the throughput without the setting. */
export function settingCost(costs, setting, workload) {
  const cost = costs?.find((entry) => entry.setting === setting && entry.workload === workload);
  return cost && median(cost.pairs.map(({ ratio }) => ratio));
}

export function plainRouteTable(measured) {
  const seconds = (pairs, way) => number(median(pairs.map((pair) => pair[way].serverCpu)));
  return table(
    ['accelerators', 'part', 'plain, s', 'as createPet, s', 'ratio', 'pairs'],
    measured.map(({ setting, part, pairs }) => [
      setting,
      part === 'answered' ? 'with the answer' : 'up to the handler',
      seconds(pairs, 'plain'),
      seconds(pairs, 'asCreatePet'),
      number(plainRouteCost(measured, setting, part)),
      pairs.map(({ ratio }) => number(ratio)).join(', '),
    ]),
  );
}

/** CPU of the plain route in units of the CPU of the route written like createPet. */
export function plainRouteCost(measured, setting, part) {
  const entry = measured?.find((candidate) => candidate.setting === setting && candidate.part === part);
  return entry && median(entry.pairs.map(({ ratio }) => ratio));
}

export function fairnessTable(measured) {
  const row = (name, pages, orders) => [
    name,
    number(median(measured.map((pair) => pages(pair).requestsPerSecond)), 0),
    numbers(
      ['p50', 'p90', 'p99'].map((percentile) => median(measured.map((pair) => pages(pair)[percentile]))),
      { digits: 1, separator: ' / ' },
    ),
    orders === undefined
      ? number(undefined)
      : number(median(measured.map((pair) => orders(pair).requestsPerSecond)), 0),
  ];
  return table(
    ['W1', 'requests per second', 'p50 / p90 / p99 in ms', 'orders per second'],
    [
      row('alone', ({ alone }) => alone.pages),
      row(
        'while W9 runs',
        ({ beside }) => beside.pages,
        ({ beside }) => beside.orders,
      ),
    ],
  );
}

/** The ratio of the two p99s of each pair. */
export function fairnessPairs(measured) {
  return measured.map(({ ratio }) => (ratio === undefined ? 'invalid, requests failed' : number(ratio))).join(', ');
}

/** The p99 of W1 with W9 in units of the p99 of W1 without W9. */
export function fairnessOf(measured) {
  return measured && median(measured.map(({ ratio }) => ratio));
}

/** The sizes of the catalogue, in ascending order. */
export function sizesOf(growth) {
  return Object.keys(growth[0].rounds[0])
    .map(Number)
    .toSorted((one, other) => one - other);
}

export function growthTable(growth) {
  const sizes = sizesOf(growth);
  const cell = (server, workload, size) => {
    const throughput = median(roundsOf(growth, server, workload).map((runs) => runs[size].requestsPerSecond));
    return `${number(growthOf(growth, server, workload, size))} (${number(throughput, 0)}/s)`;
  };
  return table(
    [`in units of that at ${pets(sizes[0])}`, ...sizes.map((size) => size.toLocaleString('en'))],
    growth.map(({ server, workload }) => [
      `${server}, ${workload}`,
      ...sizes.map((size) => cell(server, workload, size)),
    ]),
  );
}

export function pets(count) {
  return `${count.toLocaleString('en')} pets`;
}

/** Throughput at `size` pets in units of the throughput at the smallest size: the median of the rounds. */
export function growthOf(growth, server, workload, size) {
  const [smallest] = sizesOf(growth);
  const rounds = roundsOf(growth, server, workload).filter((runs) => runs[size].valid && runs[smallest].valid);
  return median(rounds.map((runs) => runs[size].requestsPerSecond / runs[smallest].requestsPerSecond));
}

function roundsOf(growth, server, workload) {
  return growth.find((entry) => entry.server === server && entry.workload === workload)?.rounds ?? [];
}

/** Every measured pair: it shows how reliable the medians are. */
export function allPairs(comparisons) {
  const rows = comparisons.comparisons.flatMap(({ peer, workload, pairs }) =>
    pairs.map((pair) => [
      workload,
      peer,
      pair.order,
      ...[pair.subject, pair.peer].map((run) =>
        run.valid ? number(run.requestsPerSecond, 0) : `invalid: ${run.errors} errors`,
      ),
      number(pair.ratio),
    ]),
  );
  const header = ['workload', 'peer', 'order', `${comparisons.subject}, 1/s`, 'peer, 1/s', 'ratio'];
  return details('Every pair', table(header, rows));
}

export function invalidRunsText(comparisons) {
  const runs = comparisons.invalidRuns();
  if (runs.length === 0) return 'No request of any run failed.';
  const lines = runs.map(
    ({ server, workload, requests, errorKinds }) =>
      `- ${server}, ${workload}: ${JSON.stringify(errorKinds)} of ${requests} requests`,
  );
  return `Runs in which requests failed are invalid and count nowhere:\n\n${lines.join('\n')}`;
}

export function profileTable(profiles) {
  const shares = profiles.map(({ tree }) => sharesOfParts(tree));
  return table(
    ['time in', ...profiles.map(({ workload }) => workload)],
    [...shares[0].keys()].map((part) => [part, ...shares.map((share) => `${number(share.get(part) * 100, 1)} %`)]),
  );
}
