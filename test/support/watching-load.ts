import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { faultOf, type Acknowledged } from './load.js';
import { nextPage } from './pages.js';
import { TEST_API_KEY } from './running-app.js';

/** The outcome of one request. Times are in milliseconds, as `performance.now()` returns them. */
export interface WatchedOutcome {
  readonly kind: 'addition' | 'keyed addition' | 'get' | 'list';
  /** The name of the service that received the request. */
  readonly service: string;
  /** 0 if no response arrived. */
  readonly status: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Why no response arrived, or what is wrong with the response. */
  readonly fault?: string;
}

/** A read that began after a pet was acknowledged, but did not show the pet. */
export interface StaleRead {
  readonly service: string;
  readonly kind: 'get' | 'list';
  readonly ids: readonly number[];
  readonly at: number;
  /** The time between the acknowledgement of the addition and the beginning of the read, in milliseconds. */
  readonly ageMs: number;
}

interface KnownPet extends Acknowledged {
  readonly at: number;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly error?: string;
}

const PAGE = '/v1/pets?limit=100';

/** How many of the latest pets are read one by one. */
const LATEST = 50;

/**
 * Clients that add pets, with and without an `Idempotency-Key`, and check that every acknowledged pet is stored: by its
 * id, and in the pages after the last full page. A client whose request with a key failed sends the same request again.
 */
export class WatchingLoad {
  readonly outcomes: WatchedOutcome[] = [];
  readonly acknowledged: KnownPet[] = [];
  readonly stale: StaleRead[] = [];
  /** Names that were sent with a key. When the load has stopped, each is acknowledged, unless its client gave up. */
  readonly keyed = new Set<string>();
  private readonly agent: Agent;
  private readonly clients: Promise<void>[];
  private stopped = false;
  private giveUpAt = Infinity;
  /** Keeps the names of this load distinct from the names of other loads on the same database. */
  private readonly run = randomUUID().slice(0, 8);
  private sent = 0;
  /** The page after the last full page, and the last id before that page. */
  private end = { path: PAGE, after: 0 };
  /** The acknowledged pets that this page or a later page must show. */
  private atEnd: KnownPet[] = [];

  /**
   * @param services the addresses of instances on one database, by name
   * @param pauseMs how long a client waits after each response
   */
  constructor(services: Readonly<Record<string, string>>, clients: number, pauseMs: number) {
    this.agent = new Agent({ keepAlive: true, maxSockets: clients });
    const names = Object.keys(services);
    this.clients = Array.from({ length: clients }, async (_, index) => {
      const service = names[index % names.length]!;
      const turn = Math.floor(index / names.length);
      while (!this.stopped) {
        await this.takeTurn(service, services[service]!, turn % 4);
        await delay(pauseMs);
      }
    });
  }

  /** Resolves when the last response has arrived. Clients repeat failed requests with a key for at most 30 seconds. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.giveUpAt = performance.now() + 30_000;
    await Promise.all(this.clients);
    this.agent.destroy();
  }

  private async takeTurn(service: string, url: string, kind: number): Promise<void> {
    if (kind === 0) await this.add(service, url);
    if (kind === 1) await this.addWithKey(service, url);
    if (kind === 2) await this.get(service, url);
    if (kind === 3) await this.list(service, url);
  }

  private async add(service: string, url: string): Promise<void> {
    await this.sendAddition('addition', service, url, `pet-${this.run}-${this.sent++}`);
  }

  private async addWithKey(service: string, url: string): Promise<void> {
    const name = `keyed-${this.run}-${this.sent++}`;
    this.keyed.add(name);
    while ((await this.sendAddition('keyed addition', service, url, name)) !== 201) {
      if (performance.now() > this.giveUpAt) return;
      await delay(50);
    }
  }

  private async sendAddition(
    kind: 'addition' | 'keyed addition',
    service: string,
    url: string,
    name: string,
  ): Promise<number> {
    const key = kind === 'addition' ? {} : { 'idempotency-key': name };
    const { status, text } = await this.send(kind, service, `${url}/v1/pets`, key, { name, categoryId: 7 });
    if (status === 201) {
      const known = { id: (JSON.parse(text) as Acknowledged).id, name, at: performance.now() };
      this.acknowledged.push(known);
      this.atEnd.push(known);
    }
    return status;
  }

  private async get(service: string, url: string): Promise<void> {
    const latest = this.acknowledged.slice(-LATEST);
    const wanted = latest[Math.floor(Math.random() * latest.length)];
    if (wanted === undefined) return;
    const startedAt = performance.now();
    const { status, text } = await this.send('get', service, `${url}/v1/pets/${wanted.id}`, {});
    const isShown = status === 200 && (JSON.parse(text) as Acknowledged).name === wanted.name;
    if (!isShown && (status === 200 || status === 404)) this.noteStale(service, 'get', [wanted], startedAt);
  }

  private async list(service: string, url: string): Promise<void> {
    const { path, after } = this.end;
    const known = this.atEnd;
    const count = known.length;
    const startedAt = performance.now();
    const { status, headers, text } = await this.send('list', service, `${url}${path}`, {});
    if (status !== 200) return;
    const ids = (JSON.parse(text) as Acknowledged[]).map(({ id }) => id);
    const next = nextPage({ headers });
    const last = ids.at(-1) ?? after;
    const shown = new Set(ids);
    const isDue = ({ id }: KnownPet) => id > after && (next === undefined || id <= last);
    const missed = known.slice(0, count).filter((pet) => isDue(pet) && !shown.has(pet.id));
    if (missed.length > 0) this.noteStale(service, 'list', missed, startedAt);
    if (next !== undefined && last > this.end.after) {
      this.end = { path: next, after: last };
      this.atEnd = this.atEnd.filter(({ id }) => id > last);
    }
  }

  private noteStale(service: string, kind: 'get' | 'list', missed: readonly KnownPet[], startedAt: number): void {
    const ageMs = Math.round(startedAt - Math.min(...missed.map(({ at }) => at)));
    this.stale.push({ service, kind, ids: missed.map(({ id }) => id), at: startedAt, ageMs });
  }

  private async send(
    kind: WatchedOutcome['kind'],
    service: string,
    url: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<Answer> {
    const startedAt = performance.now();
    const answer = await this.exchange(url, headers, body);
    const { status, error } = answer;
    const fault = error ?? faultOf(status, answer.headers, answer.text);
    const endedAt = performance.now();
    this.outcomes.push({ kind, service, status, startedAt, endedAt, ...(fault !== undefined && { fault }) });
    return answer;
  }

  private exchange(url: string, headers: Record<string, string>, body?: object): Promise<Answer> {
    return new Promise((resolve) => {
      const fail = (error: Error & { code?: string }) => {
        resolve({ status: 0, headers: new Headers(), text: '', error: error.code ?? error.message });
      };
      const outgoing = request(
        url,
        {
          agent: this.agent,
          method: body === undefined ? 'GET' : 'POST',
          headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json', ...headers },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', fail);
          answer.on('end', () => {
            const { statusCode: status = 0 } = answer;
            const text = Buffer.concat(chunks).toString();
            resolve({ status, headers: new Headers(answer.headers as Record<string, string>), text });
          });
        },
      );
      outgoing.on('error', fail);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}
