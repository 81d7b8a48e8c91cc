import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { listen } from './listen.js';

/** A network link to a server. It can silently stop forwarding everything. */
export class SilenceableProxy {
  private readonly sockets = new Set<Socket>();
  private silent = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (near: Socket) => {
      this.carry(near);
    });
  }

  /** @param target the address of a server on this machine */
  static async open(target: string): Promise<SilenceableProxy> {
    const server = createServer();
    await listen(server);
    return new SilenceableProxy(server, new URL(target));
  }

  /** The address of the server through this link. */
  get url(): string {
    const url = new URL(this.target);
    url.port = String((this.server.address() as AddressInfo).port);
    return url.toString();
  }

  /** From now on, the link accepts and keeps connections, but forwards nothing. */
  silence(): void {
    this.silent = true;
  }

  /** New connections work again. Data that was sent during the silence is lost, and so are the earlier connections. */
  speak(): void {
    this.silent = false;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private carry(near: Socket): void {
    this.keep(near);
    if (this.silent) {
      near.resume();
      return;
    }
    const far = connect(Number(this.target.port), '127.0.0.1');
    this.keep(far);
    // A connection that was open during a silence stays silent for ever, as after the loss of a machine.
    let lost = false;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        lost ||= this.silent;
        if (!lost) to.write(chunk);
      });
      from.on('close', () => {
        if (!lost && !this.silent) to.destroy();
      });
    }
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }
}
