/** Measures how long each server takes to its first 200, and how much memory it uses before, under and after W6. */
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { progress } from '../progress.mjs';
import { residentMebibytes } from '../process-usage.mjs';
import { startServer } from '../running-server.mjs';
import { median } from '../statistics.mjs';
import { measureRun } from './run.mjs';

const SAMPLE_INTERVAL_MS = 100;
const SETTLE_MS = 1_000;

export async function measureStartAndMemory({ subject, peers, starts, seconds, postgres, catalogue }) {
  // Each round starts every server once, so that a slow minute of the machine does not affect one server only.
  const names = [subject, ...peers];
  const startTimes = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < starts; round++) {
    for (const name of names) {
      const server = await startServer(name, catalogue.url);
      startTimes.get(name).push(server.startMilliseconds);
      await server.stop();
    }
  }

  const rows = [];
  for (const name of names) {
    const server = await startServer(name, catalogue.url);
    await sleep(SETTLE_MS);
    const idle = residentMebibytes(server.pid);
    const { peak, run } = await peakDuring(server, async () => {
      const measured = await measureRun(server, 'W6', { postgres, catalogue, seconds });
      await sleep(SETTLE_MS);
      return measured;
    });
    const after = residentMebibytes(server.pid);
    await server.stop();
    const row = { server: name, startMilliseconds: startTimes.get(name), idle, peak, after, errors: run.errors };
    rows.push(row);
    const memory = [idle, peak, after].map((mebibytes) => mebibytes?.toFixed(0) ?? '?').join(' / ');
    progress(
      `${name}: first 200 after ${median(row.startMilliseconds).toFixed(0)} ms, ${memory} MiB before / under / after W6`,
    );
  }
  return rows;
}

async function peakDuring(server, work) {
  let peak;
  const timer = setInterval(() => {
    const now = residentMebibytes(server.pid);
    if (now !== undefined) peak = Math.max(peak ?? 0, now);
  }, SAMPLE_INTERVAL_MS);
  try {
    const run = await work();
    return { run, peak };
  } finally {
    clearInterval(timer);
  }
}
