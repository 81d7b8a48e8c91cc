/** What a setting of the product costs: the same build twice, with and without it. */
import { progress } from '../progress.mjs';
import { startServer } from '../running-server.mjs';
import { comparePairs } from './compare.mjs';

const WORKLOADS = ['W1', 'W3', 'W4'];

/** `with` and `without` are added to the environment that every server gets, where metrics are on and access logs off. */
const SETTINGS = [
  { name: 'access logs', with: { LOG_LEVEL: 'info' }, without: { LOG_LEVEL: 'warn' } },
  { name: 'metrics', with: {}, without: { METRICS_PORT: '' } },
];

export async function measureSettingsCost({ subject, pairs, seconds, postgres, catalogue }) {
  const costs = [];
  for (const setting of SETTINGS) {
    const changed = await startServer(subject, catalogue.url, setting.with);
    const unchanged = await startServer(subject, catalogue.url, setting.without);
    for (const workload of WORKLOADS) {
      const label = `with : without ${setting.name}`;
      const measured = await comparePairs(changed, unchanged, workload, { postgres, catalogue, pairs, seconds, label });
      costs.push({ setting: setting.name, workload, pairs: measured });
      await catalogue.reset();
    }
    await changed.stop();
    await unchanged.stop();
  }
  return costs;
}
