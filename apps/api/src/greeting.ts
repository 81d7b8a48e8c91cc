import type { Environment } from './environment.js';

/** Addresses that stand for all of a machine, of IPv4 and of IPv6. */
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/**
 * What a start prints.
 *
 * @param url where the service can be called from this machine
 * @param key the development key, where there is one
 */
export function greeting(
  url: string,
  { DOCS_ENABLED, HOST }: Pick<Environment, 'DOCS_ENABLED' | 'HOST'>,
  key: string | undefined,
): string {
  const lines = [`Animal Store is listening on ${url}`];
  if (EVERY_ADDRESS.includes(HOST)) lines.push(`  and on           every address of this machine (HOST=${HOST})`);
  if (DOCS_ENABLED) lines.push(`  documentation    ${url}/docs`);
  if (key !== undefined)
    lines.push(`  development key  ${key}`, `  try it           curl -H 'Authorization: Bearer ${key}' ${url}/v1/pets`);
  return lines.join('\n');
}
