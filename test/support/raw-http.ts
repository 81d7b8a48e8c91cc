import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One response, parsed from the bytes of the connection. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The response as it was received, with its header and body. */
  readonly bytes: Buffer;
  readonly body: Buffer;
  text(): string;
}

const TIMEOUT_MS = 5_000;
const END_OF_HEAD = '\r\n\r\n';

/** A connection that sends bytes that `fetch` would refuse to send, and shows the exact bytes of the responses. */
export class RawConnection {
  private received = Buffer.alloc(0);
  private closed = false;
  private readonly news = new EventEmitter();

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.news.emit('news');
    });
    // A test does not fail merely because the service closes a connection.
    socket.on('error', () => undefined);
    socket.on('end', () => {
      this.closed = true;
      this.news.emit('news');
    });
    socket.on('close', () => {
      this.closed = true;
      this.news.emit('news');
    });
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const connection = new RawConnection(socket);
    await once(socket, 'connect');
    return connection;
  }

  send(bytes: string | Buffer): void {
    this.socket.write(bytes);
  }

  /** The received bytes that belong to no response that was read. */
  get unread(): Buffer {
    return this.received;
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** Waits for the next response, including interim responses (1xx). `method` decides whether it may have a body. */
  async response(method = 'GET', timeoutMs = TIMEOUT_MS): Promise<RawResponse> {
    let parsed = parse(this.received, method);
    const deadline = AbortSignal.timeout(timeoutMs);
    while (parsed === undefined) {
      if (this.closed) {
        throw new Error(
          `The connection was closed without a whole response: ${JSON.stringify(this.received.toString())}`,
        );
      }
      await this.nextNews(deadline);
      parsed = parse(this.received, method);
    }
    this.received = this.received.subarray(parsed.bytes.length);
    return parsed;
  }

  /** Waits until the service has closed its side of the connection. */
  async untilClosed(timeoutMs = TIMEOUT_MS): Promise<void> {
    const deadline = AbortSignal.timeout(timeoutMs);
    while (!this.closed) await this.nextNews(deadline);
  }

  close(): void {
    this.socket.destroy();
  }

  /** Closes by a reset (RST), after which the service cannot respond. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  private async nextNews(deadline: AbortSignal): Promise<void> {
    try {
      await once(this.news, 'news', { signal: deadline });
    } catch (error) {
      throw new Error(`Nothing came in time. So far: ${JSON.stringify(this.received.toString())}`, { cause: error });
    }
  }
}

/** The bytes of a request. The header fields are sent unchanged and in the given order. */
export function requestBytes(method: string, path: string, headers: readonly string[] = [], body = ''): string {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}${END_OF_HEAD}${body}`;
}

/** Sends the bytes on a new connection and reads one response. */
export async function rawExchange(port: number, bytes: string | Buffer, method = 'GET'): Promise<RawResponse> {
  const connection = await RawConnection.open(port);
  try {
    connection.send(bytes);
    return await connection.response(method);
  } finally {
    connection.close();
  }
}

/** The first response in the bytes, or `undefined` while it is incomplete. */
function parse(bytes: Buffer, method: string): RawResponse | undefined {
  const headEnd = bytes.indexOf(END_OF_HEAD);
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (?<status>[0-9]{3}) /.exec(statusLine)?.groups?.['status']);
  if (Number.isNaN(status)) throw new Error(`This is no status line of HTTP/1.1: ${JSON.stringify(statusLine)}`);

  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim());
  const bodyless = status < 200 || status === 204 || status === 304 || method === 'HEAD';
  const length = bodyless ? 0 : Number(headers.get('content-length') ?? Number.NaN);
  if (Number.isNaN(length)) throw new Error(`The response does not tell its length: ${bytes.toString()}`);

  const start = headEnd + END_OF_HEAD.length;
  if (bytes.length < start + length) return undefined;
  const body = bytes.subarray(start, start + length);
  return { status, headers, bytes: bytes.subarray(0, start + length), body, text: () => body.toString() };
}
