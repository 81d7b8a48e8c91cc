/** Measures which functions of the product take the time: the CPU profile of a workload, as a call tree. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { temporaryFolder } from '../cleanup.mjs';
import { runWorkload } from '../load/load-generator.mjs';
import { startServer } from '../running-server.mjs';
import { WORKLOADS } from '../workloads.mjs';
import { warmUp } from './warm-up.mjs';

const PROFILED = ['W1', 'W3', 'W4'];

/** @returns the call tree `{ name, file, self, total, calls }` of each workload, with times in microseconds */
export async function measureProfile({ subject, seconds, catalogue }) {
  const profiles = [];
  for (const workload of PROFILED) {
    const folder = join(temporaryFolder(), `profile-${workload}`);
    const server = await startServer(subject, catalogue.url, {
      NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}`,
    });
    await warmUp(server, workload, { pets: catalogue.pets });
    const from = monotonicMicroseconds();
    await runWorkload(server, workload, { pets: catalogue.pets, seconds });
    const until = monotonicMicroseconds();
    await server.stop();
    profiles.push({ workload, title: WORKLOADS[workload].title, tree: callTree(readProfile(folder), from, until) });
    rmSync(folder, { recursive: true });
    await catalogue.reset();
  }
  return profiles;
}

/** The time by the clock that the profiles use. */
function monotonicMicroseconds() {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** Reads the largest profile, which is the profile of the main thread: worker threads write profiles too. */
function readProfile(folder) {
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  return JSON.parse(texts.toSorted((a, b) => b.length - a.length)[0]);
}

/** The calls between two times. Idle time does not count. */
function callTree({ nodes, samples, timeDeltas, startTime }, from, until) {
  const selfTimes = new Map();
  let at = startTime;
  samples.forEach((id, index) => {
    at += timeDeltas[index];
    if (at >= from && at <= until) selfTimes.set(id, (selfTimes.get(id) ?? 0) + timeDeltas[index]);
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return toCall(nodes[0], byId, selfTimes);
}

function toCall({ id, callFrame, children = [] }, byId, selfTimes) {
  const calls = children
    .map((child) => toCall(byId.get(child), byId, selfTimes))
    .filter(({ name, total }) => name !== '(idle)' && total > 0);
  const self = selfTimes.get(id) ?? 0;
  const total = calls.reduce((sum, call) => sum + call.total, self);
  return { name: callFrame.functionName || '(anonymous)', file: callFrame.url, self, total, calls };
}
