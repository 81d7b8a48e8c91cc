/** Measures what a setting of the product costs or gains: compares the same build with and without the setting. */
import { startServer } from '../running-server.mjs';
import { ORDERS, PETS } from '../servers.mjs';
import { applicationOf, WORKLOADS } from '../workloads.mjs';
import { comparePairs } from './compare.mjs';

/** `with` and `without` are added to the environment of every server, which has metrics on and access logs off. */
const SETTINGS = [
  { name: 'access logs', with: { LOG_LEVEL: 'info' }, without: { LOG_LEVEL: 'warn' } },
  { name: 'metrics', with: {}, without: { METRICS_PORT: '' } },
];

const ACCELERATORS = [
  { name: 'all accelerators', with: {}, without: { ACCELERATORS: 'off' } },
  ...['route-execution', 'compiled-validation'].map((name) => ({
    name,
    with: {},
    without: { ACCELERATORS: `-${name}` },
  })),
];

export function measureSettingsCost(context) {
  return measureSettings(SETTINGS, ['W1', 'W3', 'W4'], context);
}

/** If one accelerator is off, the other accelerators stay on. */
export function measureAccelerators({ workloads, ...context }) {
  const chosen = workloads.filter((workload) => !workload.endsWith('-single'));
  return measureSettings(ACCELERATORS, chosen, context);
}

async function measureSettings(settings, workloads, { catalogue, orders, keep, ...context }) {
  const costs = [];
  for (const setting of settings) {
    for (const [application, database] of Object.entries({ [PETS]: catalogue, [ORDERS]: orders })) {
      const chosen = workloads.filter((workload) => applicationOf(workload) === application);
      if (chosen.length === 0) continue;
      costs.push(...(await measureSetting(setting, chosen, { ...context, application, catalogue: database })));
      keep(costs);
    }
  }
  return costs;
}

async function measureSetting(setting, workloads, { subject, application, pairs, seconds, postgres, catalogue }) {
  const changed = await startServer(subject, catalogue.url, setting.with, application);
  const unchanged = await startServer(subject, catalogue.url, setting.without, application);
  const costs = [];
  for (const workload of workloads) {
    const label = `with : without ${setting.name}`;
    const measured = await comparePairs(changed, unchanged, workload, { postgres, catalogue, pairs, seconds, label });
    costs.push({ setting: setting.name, workload, pairs: measured });
    if (WORKLOADS[workload].writes) await catalogue.reset();
  }
  await changed.stop();
  await unchanged.stop();
  return costs;
}
