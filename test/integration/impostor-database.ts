import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { certificateFile, keyFile, type CertificateName } from '../support/certificates.js';
import { listen } from '../support/listen.js';

/** The first message of a client that wants TLS: a request of 8 bytes (PostgreSQL, "SSLRequest"). */
const SSL_REQUEST_BYTES = 8;

/** AuthenticationCleartextPassword: requests the password in clear. */
export const PASSWORD_PLEASE = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);

/** Pretends to be a PostgreSQL server, and records everything that clients send. */
export class ImpostorDatabase {
  /** What clients sent in clear after the request for TLS. */
  told = '';
  /** What clients sent encrypted. */
  confided = '';

  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly answer: Buffer | undefined,
    private readonly certificate: CertificateName | undefined,
  ) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      this.receive(socket);
    });
  }

  /**
   * @param answer the response to the request for TLS; `undefined`: the server only ever requests a password, at once
   * @param certificate the server presents it after it has accepted TLS, and then requests the password
   */
  static async open(answer: Buffer | string | undefined, certificate?: CertificateName): Promise<ImpostorDatabase> {
    const server = createServer();
    await listen(server);
    return new ImpostorDatabase(server, answer === undefined ? undefined : Buffer.from(answer), certificate);
  }

  url(query: string): string {
    const { port } = this.server.address() as AddressInfo;
    return `postgresql://shop:s3cret@127.0.0.1:${port}/pets${query}`;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private receive(socket: Socket): void {
    if (this.answer === undefined) socket.write(PASSWORD_PLEASE);
    socket.once('data', (first: Buffer) => {
      if (first.length !== SSL_REQUEST_BYTES) this.listenTo(socket, first);
      else if (this.answer !== undefined) socket.write(this.answer);
      if (this.certificate === undefined) {
        socket.on('data', (chunk: Buffer) => {
          this.listenTo(socket, chunk);
        });
      } else {
        this.encrypt(socket, this.certificate);
      }
    });
  }

  private listenTo(socket: Socket, chunk: Buffer): void {
    this.told += chunk.toString('latin1');
    socket.write(PASSWORD_PLEASE);
  }

  private encrypt(socket: Socket, certificate: CertificateName): void {
    const files = { cert: readFileSync(certificateFile(certificate)), key: readFileSync(keyFile(certificate)) };
    const encrypted = new TLSSocket(socket, { isServer: true, ...files });
    encrypted.on('error', () => undefined);
    encrypted.on('data', (chunk: Buffer) => {
      this.confided += chunk.toString('latin1');
      encrypted.write(PASSWORD_PLEASE);
    });
  }
}
