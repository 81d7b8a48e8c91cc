/** Measures whether the subject keeps its throughput when the catalogue grows. */
import { statfsSync } from 'node:fs';
import { createCatalogue } from '../catalogue.mjs';
import { temporaryFolder } from '../cleanup.mjs';
import { request } from '../client.mjs';
import { progress } from '../progress.mjs';
import { startServer } from '../running-server.mjs';
import { measureRun } from './run.mjs';
import { warmUp } from './warm-up.mjs';

const DEEP_PAGE = 10_000;
const PAGE_LENGTH = 20;

/** The workload that reads a page far from the first page, with the number of connections of W1. */
const DEEP = 'deep page';

/** The workloads of the subject and of raw-pg. */
const SUBJECT_WORKLOADS = ['W1', 'W2', 'W3', 'W4', 'W5', DEEP];
const RAW_WORKLOADS = ['W1', 'W3'];

/** A pet with its index entries takes 140 bytes, and PostgreSQL's WAL takes up to 4 GB (`max_wal_size`). */
const BYTES_PER_PET = 150;
const LOG_BYTES = 5e9;

/**
 * The load before each run, which is not counted. A server that waits for its turn is idle for longer than its pool keeps
 * connections. On a new connection PostgreSQL maps the pages of the table when a query first reads them: the more pets, the
 * longer this takes.
 */
const LEAD_IN_SECONDS = 2;

/**
 * Measures one database and one server per size. All servers run at the same time and are measured in turn: in ascending
 * order of size, then in descending order, and so on. Each run thus has runs of every other size shortly before or after it.
 * A server that sends no `Link` header is not measured on the deep page.
 */
export async function measureGrowth({ subject, peers, workloads, sizes, pairs: rounds, seconds, postgres }) {
  const names = [subject, ...peers.filter((name) => name === 'raw-pg')];
  refuseWithoutSpace(sizes);
  const catalogues = [];
  for (const pets of sizes) {
    progress(`adding ${pets.toLocaleString('en')} pets to a database of their own`);
    catalogues.push(await createCatalogue(postgres, `growth_${pets}`, { pets, subject }));
  }
  const results = [];
  for (const name of names) {
    const targets = [];
    for (const catalogue of catalogues) {
      const server = await startServer(name, catalogue.url);
      targets.push({ catalogue, server, deepPage: await walkToDeepPage(server, catalogue.pets) });
    }
    for (const workload of name === subject ? SUBJECT_WORKLOADS : RAW_WORKLOADS) {
      if (workload === DEEP && targets.some(({ deepPage }) => deepPage === undefined)) continue;
      if (!workloads.includes(sentFor(workload))) continue;
      results.push({
        server: name,
        workload,
        rounds: await measureRounds(workload, targets, { rounds, seconds, postgres }),
      });
    }
    for (const { server } of targets) await server.stop();
  }
  for (const catalogue of catalogues) await catalogue.close();
  return results;
}

function refuseWithoutSpace(sizes) {
  const needed = LOG_BYTES + BYTES_PER_PET * sizes.reduce((sum, size) => sum + size);
  const { bavail, bsize } = statfsSync(temporaryFolder());
  if (bavail * bsize < needed) {
    const [has, needs] = [bavail * bsize, needed].map((bytes) => (bytes / 1e9).toFixed(0));
    throw new Error(
      `--sizes: ${temporaryFolder()} has ${has} GB of space, and these need ${needs} (TMPDIR names another)`,
    );
  }
}

function sentFor(workload) {
  return workload === DEEP ? 'W1' : workload;
}

async function measureRounds(workload, targets, { rounds, seconds, postgres }) {
  const sent = sentFor(workload);
  const optionsOf = ({ catalogue, deepPage }) => ({
    ...{ postgres, catalogue, pets: catalogue.pets },
    requests: workload === DEEP ? [{ method: 'GET', path: deepPage.path }] : undefined,
  });

  for (const target of targets) await warmUp(target.server, sent, optionsOf(target));
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? targets : targets.toReversed();
    const runs = {};
    for (const target of order) {
      const options = optionsOf(target);
      runs[options.pets] = await measureRun(target.server, sent, { ...options, seconds, leadIn: LEAD_IN_SECONDS });
    }
    measured.push(runs);
    const throughputs = Object.entries(runs).map(
      ([size, { requestsPerSecond }]) => `${Number(size).toLocaleString('en')}: ${requestsPerSecond.toFixed(0)}/s`,
    );
    progress(`${targets[0].server.name}, ${workload}: ${throughputs.join(', ')}`);
  }
  return measured;
}

/**
 * Follows `Link: rel="next"` to page 10,000, or to the last page but one of a smaller catalogue (the last page is less
 * work, because no page follows it). Checks on each page that every id appears once and in ascending order.
 */
async function walkToDeepPage(server, pets) {
  const lastPage = Math.min(DEEP_PAGE, Math.floor(pets / PAGE_LENGTH) - 1);
  let path = `/v1/pets?limit=${PAGE_LENGTH}`;
  for (let page = 1; page < lastPage; page++) {
    const { body, headers } = await request(server, 'GET', path);
    const firstId = (page - 1) * PAGE_LENGTH + 1;
    if (body.length !== PAGE_LENGTH || body.some(({ id }, index) => id !== firstId + index)) {
      throw new Error(`${server.name} shows wrong pets on page ${page} of a walk`);
    }
    path = /<([^>]+)>;\s*rel="next"/.exec(headers.link ?? '')?.[1];
    if (path === undefined) return undefined;
  }
  progress(`${server.name} walked ${lastPage.toLocaleString('en')} pages of ${pets.toLocaleString('en')} pets`);
  return { page: lastPage, path };
}
