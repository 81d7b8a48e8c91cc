/** Starts and stops the measured servers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from './client.mjs';
import { beforeExit, temporaryFolder } from './cleanup.mjs';
import { freePort } from './free-port.mjs';
import { environmentOf, ORDERS, PETS, programOf, REPOSITORY } from './servers.mjs';

const START_LIMIT_MS = 30_000;

/** A server has started when it answers this request with 200. */
const FIRST_REQUESTS = { [PETS]: '/v1/pets?limit=1', [ORDERS]: '/v1/store/orders?limit=1' };

/**
 * Starts the server `name` on `databaseUrl` and resolves after its first 200. `environment` is added to the usual
 * environment of the server. The output of the server goes to a file, as it would go to a log collector.
 *
 * @param application the program of the server that is started
 */
export async function startServer(name, databaseUrl, environment = {}, application = PETS) {
  const port = await freePort();
  const logFile = join(temporaryFolder(), `${name}-${port}.log`);
  const log = openSync(logFile, 'w');

  const settings = { databaseUrl, port, metricsPort: await freePort() };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [programOf(name, application)], {
    cwd: REPOSITORY,
    env: { ...environmentOf(name, settings), ...environment },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const forget = beforeExit(() => child.kill('SIGKILL'));

  const server = {
    name,
    pid: child.pid,
    port,
    url: `http://127.0.0.1:${port}`,
    startMilliseconds: undefined,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        const deadline = setTimeout(() => child.kill('SIGKILL'), 5_000);
        await exited;
        clearTimeout(deadline);
      }
      forget();
      rmSync(logFile);
    },
  };

  while (!(await answers(server, FIRST_REQUESTS[application]))) {
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (ended || performance.now() - startedAt > START_LIMIT_MS) {
      const output = readFileSync(logFile, 'utf8').slice(-2_000);
      await server.stop();
      throw new Error(`${name} ${ended ? 'ended' : 'did not answer'} while it started. It said:\n${output}`);
    }
    await sleep(5);
  }
  server.startMilliseconds = performance.now() - startedAt;
  return server;
}

async function answers(server, path) {
  try {
    return (await request(server, 'GET', path, { keepAlive: false })).status === 200;
  } catch {
    return false;
  }
}
