/** Measures how orders at full load slow down the catalogue: the p99 of W1 with W9 on the same instance, and without W9. */
import { setTimeout as sleep } from 'node:timers/promises';
import { runWorkload } from '../load/load-generator.mjs';
import { verifyOrders } from '../orders/verify.mjs';
import { progress } from '../progress.mjs';
import { startServer } from '../running-server.mjs';
import { ORDERS } from '../servers.mjs';
import { median } from '../statistics.mjs';
import { warmUp } from './warm-up.mjs';

/** W9 begins this long before W1, and ends this long after W1. */
const LEAD_SECONDS = 1;

/** @returns every pair of runs as `{ order, alone, beside, ratio }`; `ratio` is the ratio of the p99s */
export async function measureFairness({ subject, pairs, seconds, orders }) {
  const server = await startServer(subject, orders.url, {}, ORDERS);
  await verifyOrders(server, orders);
  const load = (workload, duration) => runWorkload(server, workload, { pets: orders.pets, seconds: duration });
  const runs = {
    alone: async () => ({ pages: await load('W1', seconds) }),
    async beside() {
      const placing = load('W9', seconds + 2 * LEAD_SECONDS);
      await sleep(LEAD_SECONDS * 1_000);
      const pages = await load('W1', seconds);
      return { pages, orders: await placing };
    },
  };
  for (const workload of ['W1', 'W9']) await warmUp(server, workload, { pets: orders.pets });

  const measured = [];
  for (let index = 0; index < pairs; index++) {
    const order = index % 2 === 0 ? ['alone', 'beside'] : ['beside', 'alone'];
    const pair = {};
    for (const name of order) {
      await orders.reset();
      pair[name] = await runs[name]();
    }
    measured.push({ order, ...pair, ratio: ratioOf(pair) });
  }
  await server.stop();
  await orders.reset();
  const ratios = measured.map(({ ratio }) => ratio?.toFixed(2) ?? 'invalid');
  progress(
    `p99 of W1 beside W9 : alone  ${median(measured.map(({ ratio }) => ratio))?.toFixed(2)}  (${ratios.join(' ')})`,
  );
  return measured;
}

/** The ratio of the p99s of a pair; `undefined` if a request failed. */
function ratioOf({ alone, beside }) {
  const all = [alone.pages, beside.pages, beside.orders];
  const isValid = all.every(({ requests, errors }) => requests > 0 && errors === 0);
  return isValid ? beside.pages.p99 / alone.pages.p99 : undefined;
}
