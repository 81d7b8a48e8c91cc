import { setTimeout as delay } from 'node:timers/promises';

/** A pet that the service has acknowledged, and its request. */
export interface KeyedAddition {
  readonly idempotencyKey: string;
  readonly sent: string;
  /** The body of the response with status 201. */
  readonly body: string;
  readonly id: bigint;
}

/** Adds a pet with an idempotency key. */
export async function addKeyed(url: string, apiKey: string, idempotencyKey: string, body: string): Promise<Response> {
  return await fetch(`${url}/v1/pets`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body,
  });
}

/** Clients that add pets, each with its own idempotency key, and record the acknowledged pets. */
export class KeyedAdditions {
  readonly acknowledged: KeyedAddition[] = [];
  private isStopped = false;
  private sent = 0;
  private readonly clients: Promise<void>[];

  constructor(
    private readonly url: string,
    private readonly apiKey: string,
    clients: number,
  ) {
    this.clients = Array.from({ length: clients }, () => this.client());
  }

  /** Resolves when the last response has arrived. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.clients);
  }

  private async client(): Promise<void> {
    while (!this.isStopped) {
      const number = this.sent++;
      const idempotencyKey = `load-${number}`;
      const sent = JSON.stringify({ name: `pet ${number} "🐈"`, categoryId: number, status: 'pending' });
      try {
        const answer = await addKeyed(this.url, this.apiKey, idempotencyKey, sent);
        const body = await answer.text();
        if (answer.status !== 201) throw new Error(`${answer.status} ${body}`);
        const id = BigInt(/"id":([0-9]+)/.exec(body)?.[1] ?? 0);
        this.acknowledged.push({ idempotencyKey, sent, body, id });
      } catch {
        // The service was killed, or is about to be.
        await delay(20);
      }
    }
  }
}
