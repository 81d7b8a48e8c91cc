import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections, and to servers that ask for any port: nothing takes one by chance. */
const FIRST_PORT = 10_000;
const LAST_PORT = 32_767;

/** Two servers that start later must not get the same port. */
const given = new Set<number>();

/** A port of this machine on which nothing listens, and which no other caller in this process gets. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT + 1));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  probe.listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
