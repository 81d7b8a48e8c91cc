/** The benchmark: `node bench/run.mjs --help` prints its options. */
import console from 'node:console';
import process from 'node:process';
import { buildPeers } from './build-peers.mjs';
import { createCatalogue } from './catalogue.mjs';
import { loadGenerator } from './load/load-generator.mjs';
import { measureFairness } from './measure/fairness.mjs';
import { measureGrowth } from './measure/growth.mjs';
import { measureInstances } from './measure/instances.mjs';
import { measurePlainRoute } from './measure/plain-route.mjs';
import { measureProfile } from './measure/profile.mjs';
import { measureRatios } from './measure/ratios.mjs';
import { measureAccelerators, measureSettingsCost } from './measure/settings-cost.mjs';
import { measureStartAndMemory } from './measure/start-and-memory.mjs';
import { readOptions } from './options.mjs';
import { createOrders } from './orders/orders.mjs';
import { startPostgres } from './postgres.mjs';
import { progress } from './progress.mjs';
import { writeReport } from './report/report.mjs';
import { openResults } from './results.mjs';
import { ORDERS, PETS, PRODUCT, refuseUnbuilt } from './servers.mjs';
import { applicationOf, WORKLOADS } from './workloads.mjs';

const CATALOGUE_SIZE = 100_000;

/** The number of orders, which have their own database. */
const ORDERED = 100_000;

const MEASURES = {
  ratios: measureRatios,
  start: measureStartAndMemory,
  logs: measureSettingsCost,
  accelerators: measureAccelerators,
  'plain-route': measurePlainRoute,
  fairness: measureFairness,
  instances: measureInstances,
  profile: measureProfile,
  growth: measureGrowth,
};

async function main() {
  const options = readOptions();
  if (options.subject !== PRODUCT)
    for (const section of ['logs', 'accelerators', 'plain-route', 'fairness', 'instances', 'profile'])
      options.sections.delete(section);
  const measuresPeers = options.sections.has('ratios') || options.sections.has('start');
  const measured = [options.subject, ...(measuresPeers ? options.peers : [])];
  if (measured.some((name) => name.startsWith('nest-'))) {
    progress('building the peers that are written in TypeScript');
    buildPeers();
  }
  refuseUnbuilt(options.subject, PETS);
  if (needsOrders(options)) refuseUnbuilt(options.subject, ORDERS);

  progress(`starting PostgreSQL; the load comes from ${loadGenerator}`);
  const postgres = await startPostgres(options.postgres);
  progress(postgres.name);
  const catalogue = await createCatalogue(postgres, 'catalogue', { pets: CATALOGUE_SIZE, subject: options.subject });
  const orders = needsOrders(options)
    ? await createOrders(postgres, 'orders', { orders: ORDERED, subject: options.subject })
    : undefined;
  const results = openResults(options);
  for (const [section, measure] of Object.entries(MEASURES)) {
    if (!options.sections.has(section)) continue;
    progress(`measuring: ${section}`);
    const keep = (data) => results.keep(section, { ...options, postgres }, data);
    keep(await measure({ ...options, postgres, catalogue, orders, keep }));
  }
  await catalogue.close();
  await orders?.close();
  progress(`wrote ${(await writeReport(results, { ...options, postgres })).join(' and ')}`);
}

/** Whether a section sends workloads to programs with orders. */
function needsOrders({ sections, workloads, peers }) {
  const ofOrders = workloads.filter((workload) => applicationOf(workload) === ORDERS);
  const comparesOrders = ofOrders.some((workload) => WORKLOADS[workload].against.some((peer) => peers.includes(peer)));
  return (
    sections.has('fairness') ||
    (sections.has('accelerators') && ofOrders.length > 0) ||
    (sections.has('ratios') && comparesOrders)
  );
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
