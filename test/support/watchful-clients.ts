import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { faultsOfError } from './error-body.js';
import { sendRequest, type Received, type Sent } from './send-request.js';
import type { Ledger } from './ledger.js';
import { nextPage } from './page-links.js';
import { TEST_API_KEY } from './running-app.js';
import { SeededRandom } from './seeded-random.js';

/**
 * How a request can fail that should have succeeded: the service refuses it with 503, the balancer refuses it because no instance is up, or
 * the connection is lost. Every other failure is wrong, whatever happened: another response, a response that contradicts an earlier one, or an
 * acknowledged pet that is not shown.
 */
export type Failure = 'refused addition' | 'refused read' | 'refused by the balancer' | 'lost' | 'wrong';

/** A request that failed. Times are those of `performance.now()`, in milliseconds. */
export interface FailedRequest {
  readonly failure: Failure;
  readonly sentAt: number;
  readonly endedAt: number;
  readonly what: string;
}

/** A request that succeeded. */
interface Success {
  readonly url: string;
  readonly adds: boolean;
  readonly sentAt: number;
  readonly endedAt: number;
}

const STATUSES = ['available', 'pending', 'sold'] as const;
const RETRY_MS = 150;
const GIVE_UP_MS = 30_000;
const REMEMBERED = 2_000;

/** A pet as it was acknowledged. */
interface Known {
  readonly id: bigint;
  readonly text: string;
}

/** An acknowledged addition under an idempotency key. */
interface KnownUse extends Known {
  readonly key: string;
  readonly body: string;
}

export interface ClientOptions {
  /** Called before each request, with a function that chooses one of several. @returns the URL of an instance or a balancer */
  readonly target: (choose: <Item>(items: readonly Item[]) => Item) => string;
  readonly clients: number;
  /** Every client uses one of them. */
  readonly apiKeys?: readonly string[];
  /** How long a client waits after each act, in milliseconds. */
  readonly pauseMs?: number;
  /** Whether clients follow links, possibly of an instance of another version. */
  readonly followsLinks?: boolean;
  /** Decides what the clients do. */
  readonly seed?: number;
}

/** Clients that add pets with and without an idempotency key, list pets, and get pets. They compare every response with the earlier ones. */
export class WatchfulClients {
  readonly failed: FailedRequest[] = [];
  readonly successes: Success[] = [];
  readonly counts = { additions: 0, additionsUnderKeys: 0, repeated: 0, replayed: 0, reused: 0, lists: 0, gets: 0 };
  private readonly agent: Agent;
  private readonly known: Known[] = [];
  private readonly uses: KnownUse[] = [];
  /** The path of the last page that is known, and the last id before that page. */
  private tail = { path: '/v1/pets?limit=100', after: 0n };
  private readonly clients: Promise<void>[];
  private giveUpAt = Infinity;
  private sent = 0;

  /** @param ledger receives every response, for the comparison with what is stored in the end */
  constructor(
    private readonly options: ClientOptions,
    private readonly ledger: Ledger,
  ) {
    const { clients, seed = 1 } = options;
    this.agent = new Agent({ keepAlive: true, maxSockets: clients });
    this.clients = Array.from({ length: clients }, (_, number) => this.work(number, new SeededRandom(seed + number)));
  }

  /** The longest time that a request took, in milliseconds. */
  get slowestMs(): number {
    return [...this.failed, ...this.successes].reduce(
      (most, { sentAt, endedAt }) => Math.max(most, endedAt - sentAt),
      0,
    );
  }

  /** The failures that no fault explains. */
  get wrong(): FailedRequest[] {
    return this.failed.filter(({ failure }) => failure === 'wrong');
  }

  /** Resolves when every addition under a key is finished, or was tried for half a minute more. */
  async stop(): Promise<void> {
    this.giveUpAt = performance.now() + GIVE_UP_MS;
    await Promise.all(this.clients);
    this.agent.destroy();
  }

  private async work(number: number, random: SeededRandom): Promise<void> {
    const { apiKeys = [TEST_API_KEY], pauseMs = 30 } = this.options;
    const authorization = `Bearer ${apiKeys[number % apiKeys.length]!}`;
    const acts = [
      ...Array<() => Promise<void>>(3).fill(() => this.add(authorization, random)),
      ...Array<() => Promise<void>>(3).fill(() => this.addUnderKey(number, authorization, random)),
      () => this.repeat(number, authorization, random),
      () => this.list(authorization, random),
      () => this.list(authorization, random),
      () => this.get(authorization, random),
      () => this.get(authorization, random),
    ];
    while (this.giveUpAt === Infinity) {
      await random.of(acts)();
      await delay(pauseMs);
    }
  }

  private async add(authorization: string, random: SeededRandom): Promise<void> {
    this.counts.additions += 1;
    const { name, body } = this.pet(random);
    const { after } = this.tail;
    const answer = await this.post(authorization, random, body);
    if (answer?.status === 201) await this.lookUp(authorization, random, this.acknowledge(name, answer), after);
    // If the service says that it lost the database during the call, or sends no response, the outcome is unknown.
    if (answer?.status === 503 && answer.headers.has('x-request-id') && !isUncertain(answer)) this.ledger.refuse(name);
  }

  /** Sends the addition until it is acknowledged, as a client does that needs the result. */
  private async addUnderKey(number: number, authorization: string, random: SeededRandom): Promise<void> {
    this.counts.additionsUnderKeys += 1;
    const { name, body } = this.pet(random);
    const key = `${number}-${name}`;
    for (let tries = 1; performance.now() < this.giveUpAt; tries++) {
      const { after } = this.tail;
      const answer = await this.post(authorization, random, body, key);
      if (answer?.status === 201) {
        const known = this.acknowledge(name, answer);
        // A client always uses the same API key, because each API key has its own idempotency keys.
        keep(this.uses, { ...known, key, body });
        await this.lookUp(authorization, random, known, tries === 1 ? after : 0n);
        return;
      }
      if (answer !== undefined && answer.status < 500) return;
      this.counts.repeated += 1;
      await delay(RETRY_MS);
    }
  }

  /** Sends an acknowledged addition again under its key, or another addition, for which the key must not be used. */
  private async repeat(number: number, authorization: string, random: SeededRandom): Promise<void> {
    const own = this.uses.filter(({ key }) => key.startsWith(`${number}-`));
    if (own.length === 0) return;
    const { key, body, text } = random.of(own);
    const isSame = random.integer(0, 2) > 0;
    const sent = isSame ? body : JSON.stringify({ name: `not ${key}`, categoryId: 7 });
    const answer = await this.post(authorization, random, sent, key, isSame ? 201 : 422);
    if (answer?.status === 422) this.counts.reused += 1;
    if (answer?.status !== 201 || !isSame) return;
    this.counts.replayed += 1;
    if (answer.headers.get('idempotent-replayed') !== 'true') this.note('wrong', `${key} was not replayed`);
    if (answer.text !== text) this.note('wrong', `${text} was replayed as ${answer.text}`);
  }

  private async list(authorization: string, random: SeededRandom): Promise<void> {
    const status = random.of([undefined, ...STATUSES]);
    const filter = status === undefined ? '' : `&status=${status}`;
    const path = `/v1/pets?limit=${random.integer(1, 100)}${filter}`;
    const answer = await this.read(authorization, random, path);
    if (answer?.status !== 200) return;
    this.counts.lists += 1;
    const ids = idsOf(answer.text);
    if (ids.some((id, index) => index > 0 && id <= ids[index - 1]!)) this.note('wrong', `${path} is not in order`);
    const others = STATUSES.filter((each) => status !== undefined && each !== status);
    if (others.some((other) => answer.text.includes(`"status":"${other}"`))) this.note('wrong', `${path} shows others`);
  }

  private async get(authorization: string, random: SeededRandom): Promise<void> {
    if (this.known.length > 0) await this.fetch(authorization, random, random.of(this.known));
  }

  /** An acknowledged pet is visible to every later request, by its id and in the list. */
  private async lookUp(authorization: string, random: SeededRandom, known: Known, after: bigint): Promise<void> {
    await this.fetch(authorization, random, known);
    const { followsLinks = true } = this.options;
    if (followsLinks && random.integer(1, 4) === 1) await this.lookThrough(authorization, random, known.id, after);
  }

  private async fetch(authorization: string, random: SeededRandom, { id, text }: Known): Promise<void> {
    const answer = await this.read(authorization, random, `/v1/pets/${id}`);
    if (answer?.status !== 200) return;
    this.counts.gets += 1;
    if (answer.text !== text) this.note('wrong', `${text} is read as ${answer.text}`);
  }

  /** @param after the last id that was visible when the addition was sent: new pets come behind it */
  private async lookThrough(authorization: string, random: SeededRandom, id: bigint, after: bigint): Promise<void> {
    if (id <= after) {
      this.note('wrong', `${id} was added when ${after} was visible already`);
      return;
    }
    let page: { path: string; after: bigint } | undefined = this.tail.after < id ? this.tail : undefined;
    while (page !== undefined) {
      const answer = await this.read(authorization, random, page.path);
      if (answer?.status !== 200) return;
      this.counts.lists += 1;
      const ids = idsOf(answer.text);
      const last = ids.at(-1) ?? page.after;
      this.ledger.readPage({ after: page.after, last, count: ids.length });
      const path = nextPage(answer);
      if (path !== undefined && last > this.tail.after) this.tail = { path, after: last };
      if (ids.includes(id)) return;
      if (path === undefined || last > id) {
        this.note('wrong', `${id} was acknowledged, and is missing behind ${page.after}`);
        return;
      }
      page = { path, after: last };
    }
  }

  private read(authorization: string, random: SeededRandom, path: string): Promise<Received | undefined> {
    return this.send(random, { method: 'GET', path, headers: { authorization } }, 200);
  }

  private post(
    authorization: string,
    random: SeededRandom,
    body: string,
    key?: string,
    expected = 201,
  ): Promise<Received | undefined> {
    const headers = {
      authorization,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    return this.send(random, { method: 'POST', path: '/v1/pets', headers, body }, expected);
  }

  /** @returns `undefined` if no response arrived; everything unexpected is noted */
  private async send(random: SeededRandom, sent: Sent, expected: number): Promise<Received | undefined> {
    const sentAt = performance.now();
    const adds = sent.method === 'POST';
    const url = this.options.target((items) => random.of(items));
    try {
      const answer = await sendRequest(url, this.agent, sent);
      if (answer.status === expected) this.successes.push({ url, adds, sentAt, endedAt: performance.now() });
      else {
        const what = `${sent.method} ${sent.path}: ${answer.status} in the place of ${expected}, ${answer.text.slice(0, 200)}`;
        this.note(failureOf(answer, adds), what, sentAt);
        await delay(RETRY_MS);
      }
      return answer;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const isLost = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code ?? '') || message === 'aborted';
      this.note(isLost ? 'lost' : 'wrong', `${sent.method} ${sent.path}: ${code ?? ''} ${message}`, sentAt);
      await delay(RETRY_MS);
      return undefined;
    }
  }

  private acknowledge(name: string, { text }: Received): Known {
    const known = { id: idsOf(text)[0] ?? 0n, text };
    this.ledger.acknowledge(name, String(known.id));
    keep(this.known, known);
    return known;
  }

  private pet(random: SeededRandom): { name: string; body: string } {
    const [name, status] = [`pet-${this.sent++}`, random.of(STATUSES)];
    this.ledger.begin(name, status);
    return { name, body: JSON.stringify({ name, categoryId: 7, status }) };
  }

  private note(failure: Failure, what: string, sentAt = performance.now()): void {
    this.failed.push({ failure, sentAt, endedAt: performance.now(), what });
  }
}

function keep<Item>(items: Item[], item: Item): void {
  items.push(item);
  if (items.length > REMEMBERED) items.shift();
}

/** The ids in a pet or in a page, in the order of the text. */
function idsOf(text: string): bigint[] {
  return [...text.matchAll(/\{"id":(\d+),/g)].map(([, id]) => BigInt(id!));
}

/** The kind of failure of an unexpected answer. */
function failureOf({ status, headers, text }: Received, adds: boolean): Failure {
  const isBalancers = [502, 503, 504].includes(status) && headers.get('content-type') === 'text/html';
  if (isBalancers && headers.get('x-request-id') === null) return 'refused by the balancer';
  const isRefusal = status === 503 && faultsOfError({ status, headers }, text).length === 0;
  if (!isRefusal || headers.get('retry-after') === null) return 'wrong';
  return adds ? 'refused addition' : 'refused read';
}

/** Whether the service said that it may have carried out the request before it lost the database. */
function isUncertain({ text }: Received): boolean {
  return text.includes('may or may not');
}

/** How often each failure occurred, for the output. */
export function countOf(failed: readonly FailedRequest[]): string {
  return tally(failed.map(({ failure }) => failure)) || 'none';
}

/** How often each name occurs. */
export function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}

/** The first 20 failures as text, and the number of the remaining ones. */
export function worstOf(failed: readonly FailedRequest[]): string[] {
  const lines = failed.slice(0, 20).map(({ failure, endedAt, what }) => `${Math.round(endedAt)} ${failure}: ${what}`);
  return failed.length > 20 ? [...lines, `and ${failed.length - 20} more`] : lines;
}
