import { setTimeout as delay } from 'node:timers/promises';
import { faultsOfError } from '../../support/error-body.js';
import { RawConnection, type RawAnswer } from '../../support/raw-http.js';
import type { Tally } from './caller.js';
import type { HostileBytes } from './hostile-bytes.js';

/** Empty lines before a request are not a request, and get no answer (RFC 9112, section 2.2). */
const NOTHING = /^[\r\n]*$/;

/**
 * Sends the bytes on a separate connection. The service must answer with a status below 500, and an error must have an Error
 * body.
 *
 * @param port the port of a service that waits for the rest of a request for less than five seconds
 * @param patienceMs if set, a client that is still connected without an answer after this time counts as waiting
 * @throws Error with the bytes
 */
export async function checkHostile(
  port: number,
  { packets }: HostileBytes,
  tally: Tally,
  patienceMs?: number,
): Promise<void> {
  const bytes = Buffer.concat(packets);
  if (NOTHING.test(bytes.toString('latin1'))) return;
  const fail = (message: string): never => {
    throw new Error(`${message}, to ${JSON.stringify(bytes.toString('latin1').slice(0, 20_000))}`);
  };
  const connection = await RawConnection.open(port);
  try {
    for (const [index, packet] of packets.entries()) {
      if (index > 0) await delay(1);
      connection.send(packet);
    }
    const method = /^[\r\n]*(?<method>[A-Z]+) /.exec(bytes.toString('latin1'))?.groups?.['method'] ?? 'GET';
    const answer = await finalAnswer(connection, method, patienceMs).catch((error: unknown) => {
      if (patienceMs === undefined || connection.isClosed) fail((error as Error).message);
    });
    if (answer === undefined) return;
    tally.note('hostile', answer.status);
    const faults = faultsOf(answer, method);
    if (faults.length > 0) fail(faults.join('; '));
    // For pipelined requests, only the status of the answer is checked.
    if (/HTTP\/1[.]1 5[0-9][0-9] /.test(connection.unread.toString('latin1'))) fail(connection.unread.toString());
  } finally {
    connection.close();
  }
}

async function finalAnswer(connection: RawConnection, method: string, timeoutMs?: number): Promise<RawAnswer> {
  for (;;) {
    const answer = await connection.answer(method, timeoutMs);
    if (answer.status >= 200) return answer;
  }
}

/** The reasons why the service must not give such an answer to any request; empty if there are none. */
function faultsOf(answer: RawAnswer, method: string): string[] {
  const { status, headers } = answer;
  if (status >= 500) return [`${status} ${answer.text()}`];
  if (method === 'HEAD' || answer.body.length === 0)
    return status >= 400 && method !== 'HEAD' ? ['there is no Error body'] : [];
  if (status >= 400) return faultsOfError(answer, answer.text());
  const type = headers.get('content-type') ?? '';
  // The pages of the documentation are deliberately not JSON.
  if (type !== 'application/json')
    return headers.get('content-security-policy') === null ? [`the type is ${type}`] : [];
  JSON.parse(answer.text());
  return [];
}
