/* eslint-disable jest/no-export -- the tests of every operation of a document: every application has a file that runs them */
import type { Server } from 'node:http';
import fc from 'fast-check';
import type { OpenApiDocument } from '../../support/openapi.js';
import { nextPage } from '../../support/pages.js';
import type { RunningApp } from '../../support/running-app.js';
import { withClient } from '../../support/sql.js';
import { explore } from '../exploration.js';
import { brokenDrafts, type BrokenDraft } from './broken-drafts.js';
import { Caller, Tally } from './caller.js';
import { Description, type DescribedOperation } from './described-operations.js';
import { validDrafts } from './draft.js';
import { hostileBytes } from './hostile-bytes.js';
import { checkHostile } from './hostile-requests.js';
import { checkValid, faultsOfAnswer } from './valid-requests.js';

/** The number of runs of each kind for each operation. */
export interface RequestRuns {
  readonly valid: number;
  readonly broken: number;
  readonly hostile: HostileRuns;
}

export interface HostileRuns {
  /** The number of runs of all operations together. */
  readonly runs: number;
  /** The maximum number of connections of a run: connections that wait for the rest of a request wait at the same time. */
  readonly connections: number;
  /** A client without an answer counts as waiting after this time in milliseconds, unless it is disconnected. By default, the 408 is awaited. */
  readonly patienceMs?: number;
}

/** The time that a client may take for a request during these runs, in milliseconds. */
const SHORT_MS = 300;

/**
 * Tests all operations in the document of an application, including those of modules: a request that the document allows is carried out and
 * read back as it was sent; a request that breaks a rule is refused as the document says; and no request makes the service fail.
 *
 * @param app must run before the first test, with an empty database
 */
export function describeRequests(app: RunningApp, runs: RequestRuns): void {
  const tally = new Tally();
  let description: Description;

  beforeAll(async () => {
    description = await readDescription(app);
  });

  test('what the document allows is done, and is read back as it was sent', async () => {
    for (const described of description.operations) {
      await exploreValid(app, description, described, runs.valid, tally);
    }
    expect(tally.made.size).toBeGreaterThan(0);
  });

  test('what breaks one rule of the document is refused as the document says, and changes nothing', async () => {
    for (const described of description.operations) {
      await exploreBroken(app, description, described, runs.broken, tally);
    }
    expect(await addressesOfAll(app, description)).toEqual(new Set([...tally.made].sort()));
  });

  test('whatever else is sent gets an answer, and no 5xx', async () => {
    await exploreHostile(app, description, runs.hostile, tally);
    expect((await app.request('/v1/pets?limit=1')).status).toBe(200);
  });
}

export async function exploreValid(
  app: RunningApp,
  description: Description,
  described: DescribedOperation,
  runs: number,
  tally = new Tally(),
): Promise<number> {
  const property = fc.asyncProperty(validDrafts(description, described), async (draft) => {
    await checkValid(new Caller(description, app.port, tally), draft);
  });
  return await explore(runs, property);
}

async function exploreBroken(
  app: RunningApp,
  description: Description,
  described: DescribedOperation,
  runs: number,
  tally = new Tally(),
): Promise<number> {
  const property = fc.asyncProperty(validDrafts(description, described), fc.nat(), async (draft, place) => {
    const all = brokenDrafts(description, draft);
    await checkBroken(new Caller(description, app.port, tally), all[place % all.length]!);
  });
  return await explore(runs, property);
}

/** Sends a request that breaks a rule. It must be refused with an expected status, as the document describes. @throws Error */
async function checkBroken(caller: Caller, { fault, draft, statuses }: BrokenDraft): Promise<void> {
  const { answer } = await caller.send(draft);
  const faults = statuses.includes(answer.status) ? [] : [`answered ${answer.status} ${answer.text()}`];
  faults.push(...faultsOfAnswer(caller, draft.described, answer));
  if (faults.length > 0) caller.fail(`${draft.described.operation.operationId} with ${fault}: ${faults.join('; ')}`);
}

/** Sends arbitrary bytes, on many connections at a time. */
async function exploreHostile(
  app: RunningApp,
  description: Description,
  { runs, connections, patienceMs }: HostileRuns,
  tally = new Tally(),
): Promise<number> {
  const server: Server = app.app.getHttpServer();
  const { headersTimeout, requestTimeout } = server;
  if (patienceMs === undefined) server.headersTimeout = server.requestTimeout = SHORT_MS;
  const scenes = fc.array(hostileBytes(description), { minLength: 1, maxLength: connections, size: 'max' });
  const property = fc.asyncProperty(scenes, async (all) => {
    const ends = await Promise.allSettled(all.map((bytes) => checkHostile(app.port, bytes, tally, patienceMs)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  });
  try {
    return await explore(runs, property);
  } finally {
    Object.assign(server, { headersTimeout, requestTimeout });
  }
}

export async function readDescription(app: RunningApp): Promise<Description> {
  return new Description((await (await app.request('/openapi.json', { key: null })).json()) as OpenApiDocument);
}

/** Moves all new ids beyond 2^53, where doubles round. The database must be empty. */
export async function beginIdsAt(url: string, first: bigint): Promise<void> {
  await withClient(url, async (client) => {
    const sequences = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, sequencename) as name from pg_sequences where data_type = 'bigint'::regtype`,
    );
    for (const { name } of sequences.rows) await client.query(`alter sequence ${name} restart with ${first}`);
  });
}

/** The addresses of all resources in every collection, in order. */
async function addressesOfAll(app: RunningApp, { collections }: Description): Promise<Set<string>> {
  const addresses: string[] = [];
  for (const { list } of collections.values()) {
    for (let page = list && `${list.path}?limit=100`; page !== undefined;) {
      const answer: Response = await app.request(page);
      const text = await answer.text();
      addresses.push(
        ...Array.from(text.matchAll(/[[,]{"id":(?<id>[0-9]+)/g), ({ groups }) => `${list!.path}/${groups!['id']!}`),
      );
      page = nextPage(answer);
    }
  }
  return new Set(addresses.sort());
}
