import { Agent } from 'node:http';
import { nextPage } from '../support/pages.js';
import { exchange, type Received, type Sent } from './exchange.js';

/** A pet that the service has acknowledged. */
interface Added {
  readonly id: number;
  readonly name: string;
  readonly body: string;
  readonly idempotencyKey?: string;
  readonly key: string;
}

/** A full page that a link led to: the pets that it showed, and the pets that it must have shown. */
export interface FollowedPage {
  readonly path: string;
  readonly status: string | undefined;
  readonly afterId: number;
  readonly ids: readonly number[];
}

interface LinkedPage {
  readonly path: string;
  readonly status: string | undefined;
  readonly afterId: number;
}

export interface LoadOptions {
  readonly url: string;
  /** API keys, used in turn. Keys may be added while the load runs. */
  readonly keys: string[];
  readonly clients: number;
  /** Whether clients follow links from earlier answers, possibly from another version. */
  readonly followsLinks: boolean;
}

const STATUSES = [undefined, 'available', 'pending', 'sold'] as const;
const LIMIT = 20;
/** How many links and pets are remembered. Each of them is used again long after it was received. */
const REMEMBERED = 2_000;
const PAUSE_AFTER_FAILURE_MS = 20;

/**
 * Clients that send one request after the other over persistent connections, during a change of versions: they add pets
 * with and without an `Idempotency-Key`, repeat additions, get pets, and follow links that they received some time before.
 */
export class MixedLoad {
  /** Descriptions of the answers that were wrong. */
  readonly failures: string[] = [];
  /** The number of correct answers of each kind. */
  readonly counts = { added: 0, addedWithKey: 0, repeated: 0, got: 0, listed: 0, followed: 0 };
  readonly added: Added[] = [];
  readonly followedPages: FollowedPage[] = [];
  private readonly links: LinkedPage[] = [];
  private readonly agent: Agent;
  private readonly clients: Promise<void>[];
  private stopped = false;
  private sent = 0;

  constructor(private readonly options: LoadOptions) {
    this.agent = new Agent({ keepAlive: true, maxSockets: options.clients });
    this.clients = Array.from({ length: options.clients }, () => this.client());
  }

  get requests(): number {
    return this.sent;
  }

  /** Resolves when the last answer has arrived. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
    this.agent.destroy();
  }

  private async client(): Promise<void> {
    while (!this.stopped) {
      const before = this.failures.length;
      await this.step(this.sent++);
      // After a failure, the client pauses before its next request.
      if (this.failures.length > before) await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_FAILURE_MS));
    }
  }

  private step(number: number): Promise<void> {
    switch (number % 10) {
      case 0:
        return this.add(number, undefined);
      case 1:
        return this.add(number, `key-${number}`);
      case 2:
        return this.repeat(number);
      case 3:
      case 4:
        return this.get(number);
      case 5:
      case 6:
        return this.list(number);
      default:
        return this.options.followsLinks ? this.follow(number) : this.list(number);
    }
  }

  private async add(number: number, idempotencyKey: string | undefined): Promise<void> {
    const { keys } = this.options;
    const key = keys[Math.floor(number / 10) % keys.length]!;
    const name = `pet-${number}`;
    const body = JSON.stringify({ name, categoryId: number, status: STATUSES[1 + (Math.floor(number / 10) % 3)] });
    const received = await this.send('/v1/pets', {
      method: 'POST',
      key,
      body,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
    if (received.status !== 201) {
      this.fail('POST', received);
      return;
    }
    const { id } = JSON.parse(received.text) as Added;
    this.added.push({ id, name, body, key, ...(idempotencyKey !== undefined && { idempotencyKey }) });
    this.counts[idempotencyKey === undefined ? 'added' : 'addedWithKey']++;
  }

  /** Sends an addition again: the answer must be the first answer. */
  private async repeat(number: number): Promise<void> {
    const first = this.pick(this.added, number, ({ idempotencyKey }) => idempotencyKey !== undefined);
    if (first === undefined) return;
    const { key, body, idempotencyKey, id } = first;
    const received = await this.send('/v1/pets', { method: 'POST', key, body, idempotencyKey: idempotencyKey! });
    const isFirst = received.status === 201 && (JSON.parse(received.text) as Added).id === id;
    if (isFirst && received.headers.get('idempotent-replayed') === 'true') this.counts.repeated++;
    else this.fail(`POST again, which added ${id},`, received);
  }

  private async get(number: number): Promise<void> {
    const known = this.pick(this.added, number, () => true);
    if (known === undefined) return;
    const received = await this.send(`/v1/pets/${known.id}`, { key: known.key });
    if (received.status === 200 && (JSON.parse(received.text) as Added).name === known.name) this.counts.got++;
    else this.fail(`GET ${known.id}`, received);
  }

  private async list(number: number): Promise<void> {
    const status = STATUSES[number % STATUSES.length];
    const path = `/v1/pets?limit=${LIMIT}${status === undefined ? '' : `&status=${status}`}`;
    const ids = await this.page(path, status);
    if (ids !== undefined) this.counts.listed++;
  }

  private async follow(number: number): Promise<void> {
    const link = this.pick(this.links, number, () => true);
    if (link === undefined) return;
    const ids = await this.page(link.path, link.status);
    if (ids === undefined) return;
    this.counts.followed++;
    // A page that is not full grows; a full page does not change.
    if (ids.length === LIMIT) this.followedPages.push({ ...link, ids });
  }

  private async page(path: string, status: string | undefined): Promise<number[] | undefined> {
    const received = await this.send(path, { key: this.options.keys[0]! });
    if (received.status !== 200) {
      this.fail(`GET ${path}`, received);
      return undefined;
    }
    const ids = (JSON.parse(received.text) as Added[]).map(({ id }) => id);
    const next = nextPage(received);
    if (next !== undefined) {
      this.links.push({ path: next, status, afterId: ids.at(-1)! });
      if (this.links.length > REMEMBERED) this.links.shift();
    }
    return ids;
  }

  /** Picks one of the latest items, a different one each time. */
  private pick<Item>(items: readonly Item[], number: number, isWanted: (item: Item) => boolean): Item | undefined {
    const recent = items.slice(-REMEMBERED);
    const start = (number * 7_919) % Math.max(recent.length, 1);
    return recent.slice(start).find(isWanted) ?? recent.find(isWanted);
  }

  private send(path: string, sent: Sent): Promise<Received> {
    return exchange(this.agent, `${this.options.url}${path}`, sent);
  }

  private fail(what: string, { status, text }: Received): void {
    this.failures.push(`${what}: ${status} ${text.slice(0, 200)}`);
  }
}
