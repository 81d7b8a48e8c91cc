import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

/** Asks whether the server takes TLS (PostgreSQL, "SSLRequest"); it answers with one byte. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const YES = 'S';
const NO = 'N';

/** The first byte of an ErrorResponse. */
const ERROR_RESPONSE = 'E'.charCodeAt(0);

type Way = 'encrypted' | 'clear';

/**
 * A connection to PostgreSQL that is encrypted if both sides happen to agree, as libpq has it for two modes: `prefer` tries
 * TLS, then goes on without; `allow` tries without, then TLS. The second way is tried where the first comes to no session:
 * the handshake fails, or the server's first answer to the start-up packet is an error. Whoever sits between the two can
 * make it choose no TLS, and read all: it is for `pg`, in the place of a socket, where nobody relies on TLS.
 */
export class OpportunisticTls extends Duplex {
  /** Those not yet tried. */
  private readonly ways: Way[];
  private target = { port: 0, host: '' };
  /** The one in use, or being tried: what others still say is past. */
  private socket: Socket | undefined;
  private announced = false;
  /** What was sent before the server's first answer, to send it again on the second way. */
  private unanswered: Buffer[] | undefined = [];
  /** How the server refused the first way. */
  private refusal: Buffer | undefined;
  private silence: readonly [milliseconds: number, listener?: (() => void) | undefined] = [0];

  constructor(
    mode: 'allow' | 'prefer',
    private readonly options: ConnectionOptions,
  ) {
    super({ allowHalfOpen: false });
    this.ways = mode === 'prefer' ? ['encrypted', 'clear'] : ['clear', 'encrypted'];
  }

  /** As `Socket.connect`: emits `connect` when data can be sent. */
  connect(port: number, host: string): this {
    this.target = { port, host };
    this.tryNext();
    return this;
  }

  /** Always so. */
  setNoDelay(): this {
    return this;
  }

  setKeepAlive(on?: boolean, initialDelayMs?: number): this {
    this.socket?.setKeepAlive(on, initialDelayMs);
    return this;
  }

  setTimeout(milliseconds: number, listener?: () => void): this {
    this.silence = [milliseconds, listener];
    this.socket?.setTimeout(milliseconds, listener);
    return this;
  }

  ref(): this {
    this.socket?.ref();
    return this;
  }

  unref(): this {
    this.socket?.unref();
    return this;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.unanswered === undefined) {
      this.socket?.write(chunk, done);
      return;
    }
    this.unanswered.push(chunk);
    // Whether it arrived is for the answer to tell: it may go another way yet.
    this.socket?.write(chunk);
    done();
  }

  override _read(): void {
    this.socket?.resume();
  }

  override _final(done: () => void): void {
    if (this.socket === undefined || this.socket.destroyed) done();
    else this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket?.destroy();
    done(error);
  }

  private tryNext(): void {
    const way = this.ways.shift();
    this.socket?.destroy();
    const socket = connectTcp({ ...this.target, noDelay: true, keepAlive: true });
    this.socket = socket;
    // Where nobody listens, the other way leads nowhere either.
    const failed = (error: Error) => {
      if (this.socket === socket) this.destroy(error);
    };
    socket.on('error', failed);
    socket.once('connect', () => {
      socket.off('error', failed);
      this.watch(socket);
      if (way === 'clear') this.use(socket);
      else this.negotiate(socket);
    });
  }

  private negotiate(socket: Socket): void {
    socket.write(SSL_REQUEST);
    socket.once('data', (bytes: Buffer) => {
      const answer = bytes.toString('latin1');
      // Not a byte more than the answer is believed: it was not encrypted (CVE-2021-23222).
      if (answer === YES) {
        this.encrypt(socket);
      } else if (answer === NO && this.ways.length > 0) {
        this.ways.length = 0;
        this.use(socket);
      } else {
        this.lost(socket, new Error('The server does not support SSL connections'));
      }
    });
  }

  private encrypt(socket: Socket): void {
    const { host } = this.target;
    const name = isIP(host) === 0 ? { servername: host } : {};
    const encrypted = connectTls({ socket, host, ...name, ...this.options });
    this.socket = encrypted;
    this.watch(encrypted);
    encrypted.once('secureConnect', () => {
      this.use(encrypted);
    });
  }

  /** Every end of a connection comes here, once it was there. */
  private watch(socket: Socket): void {
    let reason: Error | undefined;
    socket.on('error', (error) => {
      reason = error;
    });
    socket.on('close', () => {
      this.lost(socket, reason);
    });
  }

  private use(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => {
      if (this.socket === socket) this.receive(chunk, socket);
    });
    socket.on('end', () => {
      if (this.unanswered === undefined && this.socket === socket) this.push(null);
    });
    if (this.announced) {
      socket.setTimeout(...this.silence);
      for (const chunk of this.unanswered ?? []) socket.write(chunk);
    } else {
      this.announced = true;
      this.emit('connect');
    }
  }

  private receive(chunk: Buffer, socket: Socket): void {
    if (this.unanswered !== undefined && chunk[0] === ERROR_RESPONSE && this.ways.length > 0) {
      this.refusal = chunk;
      this.tryNext();
      return;
    }
    this.unanswered = undefined;
    if (!this.push(chunk)) socket.pause();
  }

  private lost(socket: Socket, reason: Error | undefined): void {
    if (this.socket !== socket || this.destroyed) return;
    if (this.unanswered === undefined) {
      this.destroy(reason);
    } else if (this.ways.length > 0) {
      this.tryNext();
    } else if (this.refusal === undefined) {
      this.destroy(reason);
    } else {
      // The server's own words tell more than that the second way failed too.
      this.unanswered = undefined;
      this.push(this.refusal);
      this.push(null);
    }
  }
}
