import type { RawAnswer } from '../../support/raw-http.js';
import { createdId, Transcript, type HttpRequest } from '../http-request.js';
import type { Description } from './described-operations.js';
import { exampleDraft, type Draft } from './draft.js';
import type { Reference } from './wire-json.js';

/** The number of answers of each operation and status. */
export class Tally {
  private readonly counts = new Map<string, number>();
  /** The addresses of all resources that were created. */
  readonly made = new Set<string>();
  /** Every `Idempotency-Key` of a finished request. */
  readonly usedKeys = new Set<string>();

  note(operationId: string, status: number): void {
    const name = `${operationId} ${status}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** The number of answers of one operation, or of all operations. */
  total(operationId?: string): number {
    const counted = [...this.counts].filter(
      ([name]) => operationId === undefined || name.startsWith(`${operationId} `),
    );
    return counted.reduce((sum, [, count]) => sum + count, 0);
  }
}

export interface Sent {
  /** The ids that replaced the references of the draft. */
  readonly ids: ReadonlyMap<Reference, bigint>;
  readonly request: HttpRequest;
  readonly answer: RawAnswer;
}

/** Sends the requests of one run, and records them. */
export class Caller {
  private readonly transcript = new Transcript();

  constructor(
    readonly description: Description,
    private readonly port: number,
    readonly tally: Tally,
  ) {}

  /** Creates the resources to which the draft refers, and sends the request. */
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

  /** @throws Error with the message and the requests so far */
  fail(message: string): never {
    throw new Error(`${message}\nAll requests:\n${this.transcript.toString()}`);
  }

  /** Creates a resource for the parameter of a path. @returns the id of the resource */
  private async make(name: string): Promise<bigint> {
    const { create } = this.description.collections.get(name)!;
    const { answer } = await this.send(exampleDraft(this.description, create));
    const id = createdId(answer);
    if (id === undefined)
      this.fail(`The example of ${create.operation.operationId}: ${answer.status} ${answer.text()}`);
    return BigInt(id);
  }
}
