import { Agent } from 'node:http';
import { generateApiKey } from '@animal-store/auth';
import { faultsOfError } from '../support/error-body.js';
import { exchange, type Received, type Sent } from '../support/exchange.js';
import { TEST_API_KEY } from '../support/running-app.js';
import type { SeededRandom } from '../support/seeded-random.js';

/** The body limit of the service in the run. It is small, so that a body beyond the limit is cheap to send. */
export const BODY_LIMIT_BYTES = 16_384;

const AUTHORIZATION = { authorization: `Bearer ${TEST_API_KEY}` };
const JSON_BODY = { ...AUTHORIZATION, 'content-type': 'application/json' };
const STATUSES = ['available', 'pending', 'sold'] as const;

/** How many of the latest pets and keys are requested again. */
const REMEMBERED = 1_000;

/** A pet as it was acknowledged. */
interface Added {
  readonly id: string;
  readonly text: string;
}

/** A body that was sent under an idempotency key, and the pet that the body created. */
interface Keyed {
  readonly key: string;
  readonly body: string;
  readonly text: string;
}

/** The calls of clients, with the expected answers. Every method resolves with what is wrong with the answer, or with `undefined`. */
export class Calls {
  private readonly kept = new Agent({ keepAlive: true, maxSockets: 64 });
  private readonly added: Added[] = [];
  private readonly keyed: Keyed[] = [];
  private count = 0;

  constructor(
    readonly url: string,
    private readonly random: SeededRandom,
    /** Distinguishes the names and keys of this run from those of other runs. */
    private readonly run: string,
  ) {}

  close(): void {
    this.kept.destroy();
  }

  readonly list = async (): Promise<string | undefined> => {
    const filter = this.random.of(['', ...STATUSES.map((status) => `&status=${status}`)]);
    const answer = await this.send({ method: 'GET', path: `/v1/pets?limit=${this.random.of([10, 20, 50])}${filter}` });
    return unexpected(answer, 200) ?? (Array.isArray(JSON.parse(answer.text)) ? undefined : 'the list is no list');
  };

  readonly get = async (): Promise<string | undefined> => {
    if (this.added.length === 0) return await this.add();
    const { id, text } = this.random.of(this.added);
    const answer = await this.send({ method: 'GET', path: `/v1/pets/${id}` });
    return unexpected(answer, 200) ?? (answer.text === text ? undefined : `${text} is read as ${answer.text}`);
  };

  readonly add = async (): Promise<string | undefined> => {
    const answer = await this.send({ method: 'POST', path: '/v1/pets', headers: JSON_BODY, body: this.pet() });
    const fault = unexpected(answer, 201);
    if (fault === undefined) this.remember(answer.text);
    return fault;
  };

  readonly addUnderKey = async (): Promise<string | undefined> => {
    const [key, body] = [`${this.run}-${this.count}`, this.pet()];
    const answer = await this.addWith(key, body);
    const fault = unexpected(answer, 201);
    if (fault !== undefined) return fault;
    this.remember(answer.text);
    keep(this.keyed, { key, body, text: answer.text });
    return undefined;
  };

  readonly repeat = async (): Promise<string | undefined> => {
    if (this.keyed.length === 0) return await this.addUnderKey();
    const { key, body, text } = this.random.of(this.keyed);
    const answer = await this.addWith(key, body);
    return unexpected(answer, 201) ?? (answer.text === text ? undefined : `${text} is repeated as ${answer.text}`);
  };

  readonly reuseKey = async (): Promise<string | undefined> => {
    if (this.keyed.length === 0) return await this.addUnderKey();
    return unexpected(await this.addWith(this.random.of(this.keyed).key, this.pet()), 422);
  };

  readonly askWhetherChanged = async (): Promise<string | undefined> => {
    const path = '/v1/pets?limit=10';
    // As long as there are fewer than ten pets, the page changes.
    const isFull = this.added.length >= 20;
    const tag = (await this.send({ method: 'GET', path })).headers.get('etag') ?? '';
    const answer = await this.send({ method: 'GET', path, headers: { ...AUTHORIZATION, 'if-none-match': tag } });
    return answer.status === 200 && !isFull ? undefined : unexpected(answer, 304);
  };

  /** Whatever is refused, with the status that it must have. */
  readonly beRefused = async (): Promise<string | undefined> => {
    const [status, path, rest] = this.random.of<readonly [number, string, Partial<Sent>?]>([
      [400, `/v1/pets?${this.random.of(['limit=0', 'status=SOLD', 'cursor=x', `a${this.count}=1`])}`],
      [404, this.random.of(['/v1/pets/9223372036854775807', '/v1/pets/x', `/v1/${this.count}`, `/${this.count}`])],
      [405, '/v1/pets', { method: this.random.of(['PUT', 'PATCH', 'DELETE']) }],
      ...['{', '[]', '{"name":""}', `{"nam":"${this.count}"}`].map(
        (body) => [400, '/v1/pets', { method: 'POST', headers: JSON_BODY, body }] as const,
      ),
      [413, '/v1/pets', { method: 'POST', headers: JSON_BODY, body: Buffer.alloc(3 * BODY_LIMIT_BYTES, ' ') }],
      [415, '/v1/pets', { method: 'POST', headers: { ...AUTHORIZATION, 'content-type': 'text/plain' }, body: 'Rex' }],
    ]);
    return unexpected(await this.send({ method: 'GET', path, ...rest }), status);
  };

  readonly haveNoKey = async (): Promise<string | undefined> => {
    // A key of the right format is looked up in the database.
    const key = this.random.of(['', 'Bearer nothing', `Bearer ${generateApiKey('astest')}`, 'Basic eDp5']);
    const headers: Record<string, string> = key === '' ? {} : { authorization: key };
    return unexpected(await this.send({ method: 'GET', path: '/v1/pets', headers }), 401);
  };

  readonly comeAnew = async (): Promise<string | undefined> => {
    const sent = { method: 'GET', path: '/v1/pets?limit=10', headers: AUTHORIZATION };
    return unexpected(await exchange(this.url, false, sent), 200);
  };

  private send(sent: Sent): Promise<Received> {
    return exchange(this.url, this.kept, { headers: AUTHORIZATION, ...sent });
  }

  private addWith(key: string, body: string): Promise<Received> {
    return this.send({ method: 'POST', path: '/v1/pets', headers: { ...JSON_BODY, 'idempotency-key': key }, body });
  }

  private pet(): string {
    this.count += 1;
    return JSON.stringify({ name: `${this.run}-${this.count}`, categoryId: 7, status: this.random.of(STATUSES) });
  }

  private remember(text: string): void {
    const id = /^\{"id":(\d+),/.exec(text)?.[1];
    if (id !== undefined) keep(this.added, { id, text });
  }
}

function keep<Item>(items: Item[], item: Item): void {
  items.push(item);
  if (items.length > REMEMBERED) items.shift();
}

/** What is wrong with an answer that must have this status. An error must also have an Error body. */
function unexpected({ status, headers, text }: Received, expected: number): string | undefined {
  if (status !== expected) return `${status} in the place of ${expected}: ${text.slice(0, 200)}`;
  if (status < 400) return undefined;
  const faults = faultsOfError({ status, headers }, text);
  return faults.length === 0 ? undefined : `${status}: ${faults.join('; ')}`;
}
