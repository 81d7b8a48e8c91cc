import { setTimeout as delay } from 'node:timers/promises';
import { clientOf, TEST_API_KEY, type Client } from '../support/running-app.js';

/** The maximum number of concurrent requests. Requests beyond this number are not sent. */
const MAX_UNDER_WAY = 500;

/** Sends requests at a steady rate, however long the responses take. Many independent callers behave in this way. */
export class ConstantLoad {
  private readonly timer: NodeJS.Timeout;
  private readonly underWay = new Set<Promise<unknown>>();
  private sent = 0;

  /** @param send sends one request by its number. The test observes the result elsewhere. */
  constructor(perSecond: number, send: (number: number) => Promise<Response>) {
    const began = Date.now();
    this.timer = setInterval(() => {
      // By the clock: a timer that fires late, on a busy machine, would lower the rate.
      for (const due = ((Date.now() - began) / 1000) * perSecond; this.sent < due; this.sent++) {
        if (this.underWay.size >= MAX_UNDER_WAY) continue;
        const sent = send(this.sent)
          .then((answer) => answer.arrayBuffer())
          .catch(() => undefined)
          .finally(() => this.underWay.delete(sent));
        this.underWay.add(sent);
      }
    }, 1000 / perSecond);
  }

  /** Resolves when no request is in flight, or after 30 seconds. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    const over = new AbortController();
    await Promise.race([Promise.all(this.underWay), delay(30_000, undefined, { signal: over.signal })]);
    over.abort();
  }
}

/** The normal rate of requests. */
const NORMAL_PER_SECOND = 20;

/** The load of a normal day: mostly pages, some additions, calls of the deprecated operation, and a few invalid requests. */
export function normalLoad(url: string): ConstantLoad {
  const client = clientOf(url);
  return new ConstantLoad(NORMAL_PER_SECOND, (number) => normalRequest(client, number));
}

function normalRequest(client: Client, number: number): Promise<Response> {
  switch (number % 20) {
    case 0:
      return client.request('/v1/pets/9223372036854775807');
    case 1:
      return client.request('/v1/pets?limit=0');
    case 2:
      return client.request('/v1/pets', { key: `${TEST_API_KEY}-mistyped` });
    case 3:
    case 4:
      return client.createPet({ name: `pet-${number}`, categoryId: 7 });
    case 5:
      return client.request('/v1/pets/1');
    default:
      return client.request('/v1/pets?limit=10');
  }
}
