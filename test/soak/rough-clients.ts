import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { generateApiKey } from '@animal-store/auth';
import { readError } from '../support/error-body.js';
import { clientOf, TEST_API_KEY, type RequestOptions } from '../support/running-app.js';
import type { SeededRandom } from '../support/seeded-random.js';

/** The body limit of the service in the run. It is small, so that a body beyond the limit is cheap to send. */
export const BODY_LIMIT_BYTES = 16_384;

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;
const JSON_TYPE = { 'content-type': 'application/json' };
const PAUSE_MS = 40;

/** What is refused, with the status that it must have. A key of the right format is looked up in the database. */
const REFUSED: readonly (() => [status: number, path: string, options: RequestOptions])[] = [
  () => [400, '/v1/pets?limit=0', {}],
  () => [400, '/v1/pets', { method: 'POST', headers: JSON_TYPE, body: '{"name":""}' }],
  () => [401, '/v1/pets', { key: generateApiKey('astest') }],
  () => [404, '/v1/pets/9223372036854775807', {}],
  () => [405, '/v1/pets', { method: 'DELETE' }],
  () => [413, '/v1/pets', { method: 'POST', headers: JSON_TYPE, body: ' '.repeat(3 * BODY_LIMIT_BYTES) }],
  () => [415, '/v1/pets', { method: 'POST', body: 'Rex' }],
];

/** Clients that disconnect, and clients whose requests are refused. */
export class RoughClients {
  calls = 0;
  /** The responses that were unexpected. */
  readonly surprises: string[] = [];
  private isStopped = false;
  private readonly clients: Promise<void>[];

  constructor(
    private readonly url: string,
    private readonly random: SeededRandom,
    count: number,
  ) {
    this.clients = Array.from({ length: count }, () => this.work());
  }

  /** Resolves when the last call is over. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.clients);
  }

  private async work(): Promise<void> {
    const refused = Array<() => Promise<void>>(6).fill(() => this.beRefused());
    const acts = [() => this.abortBody(), () => this.abortResponse(), () => this.abortWait(), ...refused];
    while (!this.isStopped) {
      this.calls += 1;
      await this.random
        .of(acts)()
        .catch((error: unknown) => this.surprises.push(String(error)));
      await delay(PAUSE_MS);
    }
  }

  private async beRefused(): Promise<void> {
    const [status, path, options] = this.random.of(REFUSED)();
    const answer = await clientOf(this.url).request(path, options);
    const error = await readError(answer);
    if (error.status !== status) this.surprises.push(`${path}: ${error.status} in the place of ${status}`);
  }

  /** Disconnects in the middle of its body. */
  private async abortBody(): Promise<void> {
    const socket = await this.open();
    const fields = ['Host: x', KEY, 'Content-Type: application/json', 'Content-Length: 500'];
    socket.write(`POST /v1/pets HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n{"name":"Re`);
    await delay(20);
    socket.destroy();
  }

  /** Disconnects when the response begins. */
  private async abortResponse(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const headers = { authorization: `Bearer ${TEST_API_KEY}` };
      request(`${this.url}/v1/pets?limit=100`, { agent: false, headers }, (answer) => {
        answer.destroy();
        resolve();
      })
        .on('error', reject)
        .end();
    });
  }

  /** Disconnects before there is a response. */
  private async abortWait(): Promise<void> {
    const socket = await this.open();
    socket.write(`GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n\r\n`);
    socket.destroySoon();
    await delay(1);
    socket.destroy();
  }

  private async open(): Promise<Socket> {
    const { hostname, port } = new URL(this.url);
    const socket = connect(Number(port), hostname);
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    // A client that disconnects on purpose ignores the error.
    socket.on('error', () => socket.destroy());
    return socket;
  }
}
