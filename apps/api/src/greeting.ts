import type { Environment } from './environment.js';
import type { Log } from '@animal-store/logging';

/** The addresses that stand for all addresses of a machine, in IPv4 and IPv6. */
const EVERY_ADDRESS = ['0.0.0.0', '::'];

const LISTENING = 'Animal Store is listening on';

type Greeted = Pick<Environment, 'DOCS_ENABLED' | 'HOST'>;

/**
 * Says where the service is, at every log level: as sentences for people, as one line of the log for programs.
 *
 * @param url an address of the service on this machine
 * @param key the development key, if there is one
 */
export async function greet(log: Log, url: string, environment: Greeted, key: string | undefined): Promise<void> {
  if (log.isReadable) {
    // It is not written through the log, and must appear below the lines of the log.
    await log.output.flush();
    console.log(greeting(url, environment, key));
  } else {
    const docs = environment.DOCS_ENABLED ? `${url}/docs` : undefined;
    log.logger.child({}, { level: 'info' }).info({ url, docs, host: environment.HOST }, `${LISTENING} ${url}`);
  }
}

/**
 * The text that a start prints for people.
 *
 * @param url an address of the service on this machine
 * @param key the development key, if there is one
 */
export function greeting(url: string, { DOCS_ENABLED, HOST }: Greeted, key: string | undefined): string {
  const lines = [`${LISTENING} ${url}`];
  if (EVERY_ADDRESS.includes(HOST)) lines.push(`  and on           every address of this machine (HOST=${HOST})`);
  if (DOCS_ENABLED) lines.push(`  documentation    ${url}/docs`);
  if (key !== undefined)
    lines.push(`  development key  ${key}`, `  try it           curl -H 'Authorization: Bearer ${key}' ${url}/v1/pets`);
  return lines.join('\n');
}
