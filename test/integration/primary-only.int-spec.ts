import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { MikroORM } from '@mikro-orm/postgresql';
import { isConnectionLost, isDatabaseUnavailable } from '../../libs/persistence/src/errors/database-errors.js';
import { reservedOptions, postgresOptions, replicaOptions } from '../../libs/persistence/src/mikro-orm.config.js';
import { listen } from '../support/listen.js';
import '../support/cross-realm-errors.js';

/** A message of the PostgreSQL protocol: its type, its length including the length field, and its content. */
function message(kind: string, ...said: (string | number)[]): Buffer {
  const body = Buffer.concat(said.map((part) => (typeof part === 'string' ? Buffer.from(part) : int32(part))));
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const READY = message('Z', 'I');

/** A server that answers every statement with no rows. At the start of a session it reports its role. */
class PoliteServer {
  wasSentStatements = false;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(inHotStandby: 'on' | 'off' | undefined) {
    const role = inHotStandby === undefined ? [] : [message('S', `in_hot_standby\0${inHotStandby}\0`)];
    const welcome = Buffer.concat([message('R', 0), ...role, message('K', 1, 1), READY]);
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(welcome);
        socket.on('data', (chunk: Buffer) => {
          if (chunk.toString('latin1', 0, 1) === 'X') return;
          this.wasSentStatements = true;
          socket.write(Buffer.concat([message('C', 'SELECT 0\0'), READY]));
        });
      });
    });
  }

  async open(): Promise<string> {
    await listen(this.server);
    return `postgresql://shop@127.0.0.1:${(this.server.address() as AddressInfo).port}/pets`;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}

const POOLS = {
  'the pool': (url: string) => postgresOptions(url, 1),
  'the connections for lookups': (url: string) => reservedOptions(url, true),
  'the pool of a replica': (url: string) => replicaOptions(url, 1, true),
};

/** The error of a statement on a server of this role, and whether the statement was sent to the server. */
async function send(
  pool: keyof typeof POOLS,
  role: 'on' | 'off' | undefined,
): Promise<{ error: unknown; sent: boolean }> {
  const server = new PoliteServer(role);
  const orm = new MikroORM({ ...POOLS[pool](await server.open()), discovery: { warnWhenNoEntities: false } });
  try {
    const error: unknown = await orm.em.execute('select 1').then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { error, sent: server.wasSentStatements };
  } finally {
    await orm.close();
    server.close();
  }
}

describe.each(['the pool', 'the connections for lookups'] as const)('%s of the primary', (pool) => {
  test('sends nothing to a standby: the database is away, and no statement was under way', async () => {
    const { error, sent } = await send(pool, 'on');
    expect(sent).toBe(false);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(isConnectionLost(error)).toBe(false);
  });

  test.each(['off', undefined] as const)('sends statements where a server says %s to in_hot_standby', async (role) => {
    expect(await send(pool, role)).toEqual({ error: undefined, sent: true });
  });
});

test('the pool of a replica sends statements to a standby', async () => {
  expect(await send('the pool of a replica', 'on')).toEqual({ error: undefined, sent: true });
});
