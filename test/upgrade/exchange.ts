import { request, type Agent } from 'node:http';

export interface Sent {
  readonly method?: 'GET' | 'POST';
  readonly key: string;
  readonly idempotencyKey?: string;
  readonly body?: string;
}

export interface Received {
  /** 0 if no answer arrived. */
  readonly status: number;
  readonly headers: Headers;
  /** The body, or the reason why no answer arrived. */
  readonly text: string;
}

/** Sends one request over a connection of the agent. The request is never sent again. */
export function exchange(
  agent: Agent,
  url: string,
  { method = 'GET', key, idempotencyKey, body }: Sent,
): Promise<Received> {
  return new Promise((resolve) => {
    const fail = (error: Error & { code?: string }) => {
      resolve({ status: 0, headers: new Headers(), text: error.code ?? error.message });
    };
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const outgoing = request(url, { agent, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', fail);
      answer.on('end', () => {
        const { statusCode: status = 0, headers: fields } = answer;
        resolve({
          status,
          headers: new Headers(fields as Record<string, string>),
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}
