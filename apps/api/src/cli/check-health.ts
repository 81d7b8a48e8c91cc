import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { EXIT } from './exit-codes.js';

/**
 * Checks the health of the service on this machine, for supervisors that run a program every few seconds. For that
 * reason it loads no other code, and reads the file `.env` and the two settings itself.
 */
const HELP = `Usage: check-health live|ready

Asks the service on this machine whether it is alive or ready. It finds the service by PORT and HOST, from the environment or
the file .env.

Exit codes: ${EXIT.done} up, ${EXIT.failed} down, ${EXIT.usage} wrong arguments, ${EXIT.configuration} wrong PORT.`;

const TIMEOUT_MS = 2_000;

/** The addresses that stand for all addresses of a machine, each with one that can be called. */
const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

process.exitCode = await main(process.argv.slice(2));

/** @returns the exit code */
async function main([endpoint = '', ...more]: string[]): Promise<number> {
  if (endpoint === '--help' || endpoint === '-h') {
    console.log(HELP);
    return EXIT.done;
  }
  if ((endpoint !== 'live' && endpoint !== 'ready') || more.length > 0) {
    console.error(HELP.split('\n', 1)[0]);
    return EXIT.usage;
  }
  if (existsSync('.env')) process.loadEnvFile();
  const { PORT: port = '', HOST: host = '' } = process.env;
  if (!/^(?:[0-9]{1,5})?$/.test(port) || Number(port) > 65_535) {
    console.error('PORT must be an integer between 0 and 65535');
    return EXIT.configuration;
  }
  return await request(`http://${authority(host || '127.0.0.1', port || '3000')}/health/${endpoint}`);
}

function authority(host: string, port: string): string {
  const address = EVERY_ADDRESS[host] ?? host;
  return `${isIPv6(address) ? `[${address}]` : address}:${port}`;
}

async function request(url: string): Promise<number> {
  try {
    // Not `fetch`, because it refuses some ports.
    const sent = get(url, { agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const [{ statusCode }] = (await once(sent, 'response')) as [IncomingMessage];
    sent.destroy();
    if (statusCode === 200) return EXIT.done;
    console.error(`${url} responded with status ${statusCode}`);
  } catch (error) {
    console.error(`${url} did not respond: ${error instanceof Error ? error.message : String(error)}`);
  }
  return EXIT.failed;
}
