/** The benchmark: `node bench/run.mjs --help` tells what it can do. */
import { buildPeers } from './build-peers.mjs';
import { createCatalogue } from './catalogue.mjs';
import { loadGenerator } from './load/load-generator.mjs';
import { measureGrowth } from './measure/growth.mjs';
import { measurePlainRoute } from './measure/plain-route.mjs';
import { measureProfile } from './measure/profile.mjs';
import { measureRatios } from './measure/ratios.mjs';
import { measureAccelerators, measureSettingsCost } from './measure/settings-cost.mjs';
import { measureStartAndMemory } from './measure/start-and-memory.mjs';
import { readOptions } from './options.mjs';
import { startPostgres } from './postgres.mjs';
import { progress } from './progress.mjs';
import { writeReport } from './report/report.mjs';
import { openResults } from './results.mjs';
import { isBuilt, PRODUCT } from './servers.mjs';

const ANIMALS = 100_000;

const MEASURES = {
  ratios: measureRatios,
  start: measureStartAndMemory,
  logs: measureSettingsCost,
  accelerators: measureAccelerators,
  'plain-route': measurePlainRoute,
  profile: measureProfile,
  growth: measureGrowth,
};

async function main() {
  const options = readOptions();
  if (options.subject !== PRODUCT)
    for (const section of ['logs', 'accelerators', 'plain-route', 'profile']) options.sections.delete(section);
  const measuresPeers = options.sections.has('ratios') || options.sections.has('start');
  const measured = [options.subject, ...(measuresPeers ? options.peers : [])];
  if (measured.some((name) => name.startsWith('nest-'))) {
    progress('building the peers that are written in TypeScript');
    buildPeers();
  }
  if (!isBuilt(options.subject)) throw new Error(`${options.subject} is not built: run "npm run build" first`);

  progress(`starting PostgreSQL; the load comes from ${loadGenerator}`);
  const postgres = await startPostgres(options.postgres);
  progress(postgres.name);
  const catalogue = await createCatalogue(postgres, 'catalogue', { animals: ANIMALS, subject: options.subject });
  const results = openResults(options);
  for (const [section, measure] of Object.entries(MEASURES)) {
    if (!options.sections.has(section)) continue;
    progress(`measuring: ${section}`);
    const keep = (data) => results.keep(section, { ...options, postgres }, data);
    keep(await measure({ ...options, postgres, catalogue, keep }));
  }
  await catalogue.close();
  progress(`wrote ${(await writeReport(results, { ...options, postgres })).join(' and ')}`);
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
