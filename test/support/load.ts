import { Agent, request } from 'node:http';
import { faultsOfError } from './error-body.js';
import { TEST_API_KEY } from './running-app.js';

/** The outcome of one request. */
export interface Outcome {
  /** 0 if no response arrived. */
  readonly status: number;
  /** The end of the request as `performance.now()` returns it, and its duration, in milliseconds. */
  readonly endedAt: number;
  readonly durationMs: number;
  /** Why no response arrived, or what is wrong with it: an error without an Error body, a 503 without `Retry-After`. */
  readonly fault?: string;
}

/** A pet that the service has acknowledged. */
export interface Acknowledged {
  readonly id: number;
  readonly name: string;
}

/** Clients that send one request after another over persistent connections, and record the responses. */
export class Load {
  readonly outcomes: Outcome[] = [];
  readonly acknowledged: Acknowledged[] = [];
  private readonly agent: Agent;
  private readonly clients: Promise<void>[];
  private stopped = false;
  private sent = 0;

  /** @param creations how many of one hundred requests add a pet; the other requests list pets */
  constructor(
    private readonly url: string,
    clients: number,
    private readonly creations: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: clients });
    this.clients = Array.from({ length: clients }, () => this.client());
  }

  /** Resolves when the last response has arrived. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
    this.agent.destroy();
  }

  /** The number of outcomes of each kind, for human readers. */
  summary(): string {
    const kinds = new Map<string, number>();
    for (const { status, fault } of this.outcomes) {
      const kind = fault === undefined ? String(status) : `${status} ${fault}`;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    return [...kinds].map(([kind, count]) => `${kind}: ${count}`).join(', ');
  }

  private async client(): Promise<void> {
    while (!this.stopped) {
      const number = this.sent++;
      const outcome = await this.send(number % 100 < this.creations ? `pet-${number}` : undefined);
      this.outcomes.push(outcome);
      // After an error, a client waits before its next request.
      if (outcome.status !== 200 && outcome.status !== 201) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  private send(name: string | undefined): Promise<Outcome> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const end = (status: number, fault?: string) => {
        const endedAt = performance.now();
        resolve({ status, endedAt, durationMs: endedAt - startedAt, ...(fault !== undefined && { fault }) });
      };
      const outgoing = request(
        `${this.url}/v1/pets`,
        {
          agent: this.agent,
          method: name === undefined ? 'GET' : 'POST',
          headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', (error) => {
            end(0, error.message);
          });
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const { statusCode: status = 0, headers } = answer;
            if (status === 201 && name !== undefined) {
              this.acknowledged.push({ id: (JSON.parse(text) as Acknowledged).id, name });
            }
            end(status, faultOf(status, new Headers(headers as Record<string, string>), text));
          });
        },
      );
      outgoing.on('error', (error: Error & { code?: string }) => {
        end(0, error.code ?? error.message);
      });
      outgoing.end(name === undefined ? undefined : JSON.stringify({ name, categoryId: 7 }));
    });
  }
}

/** What is wrong with an error response; `undefined` if nothing is wrong. */
export function faultOf(status: number, headers: Headers, text: string): string | undefined {
  if (status < 400) return undefined;
  const faults = faultsOfError({ status, headers }, text);
  if (status === 503 && headers.get('retry-after') === null) faults.push('Retry-After is missing');
  return faults.length === 0 ? undefined : faults.join('; ');
}
