import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

/** Asks the server for TLS (PostgreSQL, "SSLRequest"). The server answers with one byte. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const YES = 'S';
const NO = 'N';

/** The first byte of an ErrorResponse. */
const ERROR_RESPONSE = 'E'.charCodeAt(0);

type Mode = 'encrypted' | 'clear';

/**
 * A socket for `pg` whose connection is encrypted only if client and server agree, as with two modes of libpq: `prefer` tries
 * TLS first and then no TLS, `allow` tries no TLS first and then TLS. The second attempt is made if the first gives no session:
 * the TLS handshake fails, or the server answers the start-up packet with an error.
 *
 * An attacker in the network can prevent TLS and read everything, so these modes are only for connections that may be in clear.
 */
export class OpportunisticTls extends Duplex {
  /** The attempts that are left. */
  private readonly attempts: Mode[];
  private target = { port: 0, host: '' };
  /** The current socket. Events of earlier sockets are ignored. */
  private socket: Socket | undefined;
  private isConnected = false;
  /** The data that was sent before the first response of the server; the second attempt sends it again. */
  private unanswered: Buffer[] | undefined = [];
  /** The error of the server in the first attempt. */
  private refusal: Buffer | undefined;
  private idleTimeout: readonly [milliseconds: number, listener?: (() => void) | undefined] = [0];

  constructor(
    mode: 'allow' | 'prefer',
    private readonly options: ConnectionOptions,
  ) {
    super({ allowHalfOpen: false });
    this.attempts = mode === 'prefer' ? ['encrypted', 'clear'] : ['clear', 'encrypted'];
  }

  /** As `Socket.connect`: emits `connect` when data can be written. */
  connect(port: number, host: string): this {
    this.target = { port, host };
    this.tryNext();
    return this;
  }

  /** Does nothing: the option is always set. */
  setNoDelay(): this {
    return this;
  }

  setKeepAlive(on?: boolean, initialDelayMs?: number): this {
    this.socket?.setKeepAlive(on, initialDelayMs);
    return this;
  }

  setTimeout(milliseconds: number, listener?: () => void): this {
    this.idleTimeout = [milliseconds, listener];
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
    // The second attempt may have to send it again, so the write is reported as done before it is acknowledged.
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
    const next = this.attempts.shift();
    this.socket?.destroy();
    const socket = connectTcp({ ...this.target, noDelay: true, keepAlive: true });
    this.socket = socket;
    // If the TCP connection fails, the second attempt would fail too.
    const failed = (error: Error) => {
      if (this.socket === socket) this.destroy(error);
    };
    socket.on('error', failed);
    socket.once('connect', () => {
      socket.off('error', failed);
      this.watch(socket);
      if (next === 'clear') this.use(socket);
      else this.negotiate(socket);
    });
  }

  private negotiate(socket: Socket): void {
    socket.write(SSL_REQUEST);
    socket.once('data', (bytes: Buffer) => {
      const answer = bytes.toString('latin1');
      // More than one byte is refused: bytes after the answer are not encrypted (CVE-2021-23222).
      if (answer === YES) {
        this.encrypt(socket);
      } else if (answer === NO && this.attempts.length > 0) {
        this.attempts.length = 0;
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

  /** Observes the end of a connection after it was established. */
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
    if (this.isConnected) {
      socket.setTimeout(...this.idleTimeout);
      for (const chunk of this.unanswered ?? []) socket.write(chunk);
    } else {
      this.isConnected = true;
      this.emit('connect');
    }
  }

  private receive(chunk: Buffer, socket: Socket): void {
    if (this.unanswered !== undefined && chunk[0] === ERROR_RESPONSE && this.attempts.length > 0) {
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
    } else if (this.attempts.length > 0) {
      this.tryNext();
    } else if (this.refusal === undefined) {
      this.destroy(reason);
    } else {
      // The server's error of the first attempt says more than the failure of the second.
      this.unanswered = undefined;
      this.push(this.refusal);
      this.push(null);
    }
  }
}
