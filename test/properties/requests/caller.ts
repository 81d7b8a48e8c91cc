import type { RawAnswer } from '../../support/raw-http.js';
import { curlScript } from '../curl-script.js';
import { PropertyError } from '../exploration.js';
import type { HttpRequest } from '../http-request.js';
import { createdId, Transcript } from '../transcript.js';
import type { Description } from './described-operations.js';
import { exampleDraft, type Draft } from './draft.js';
import type { Reference } from './wire-json.js';

/** How many answers there were of each operation and status. */
export class Tally {
  private readonly counts = new Map<string, number>();
  /** The addresses of all that was made. */
  readonly made = new Set<string>();
  /** Every `Idempotency-Key` of a request that is over. */
  readonly usedKeys = new Set<string>();

  note(operationId: string, status: number): void {
    const name = `${operationId} ${status}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** How many there were, of one operation or of all. */
  total(operationId?: string): number {
    const counted = [...this.counts].filter(
      ([name]) => operationId === undefined || name.startsWith(`${operationId} `),
    );
    return counted.reduce((sum, [, count]) => sum + count, 0);
  }
}

export interface Sent {
  /** What the references of the draft stood for. */
  readonly ids: ReadonlyMap<Reference, bigint>;
  readonly request: HttpRequest;
  readonly answer: RawAnswer;
}

/** Sends the requests of one run, and knows what it sent. */
export class Caller {
  readonly transcript = new Transcript();

  constructor(
    readonly description: Description,
    private readonly port: number,
    readonly tally: Tally,
  ) {}

  /** Makes what the draft refers to, and sends it. */
  async send(draft: Draft): Promise<Sent> {
    const ids = new Map<Reference, bigint>();
    for (const reference of draft.references) ids.set(reference, await this.make(reference.name));
    const request = draft.request(ids);
    return { ids, request, answer: await this.sendRequest(request, draft.described.operation.operationId) };
  }

  async sendRequest(request: HttpRequest, operationId: string): Promise<RawAnswer> {
    const answer = await this.transcript.send(this.port, request).catch((error: unknown) => {
      this.fail(`${request.method} ${request.target}: ${(error as Error).message}`);
    });
    this.tally.note(operationId, answer.status);
    const location = answer.headers.get('location');
    if (answer.status === 201 && location !== null) this.tally.made.add(location);
    return answer;
  }

  /** @throws PropertyError with the script of what was sent so far */
  fail(message: string): never {
    throw new PropertyError(message, curlScript(this.transcript.steps));
  }

  /** Makes what the parameter of a path stands for. @returns its id */
  private async make(name: string): Promise<bigint> {
    const { create } = this.description.collections.get(name)!;
    const { answer } = await this.send(exampleDraft(this.description, create));
    const id = createdId(answer);
    if (id === undefined)
      this.fail(`The example of ${create.operation.operationId}: ${answer.status} ${answer.text()}`);
    return BigInt(id);
  }
}
