import { createApp, type CreateAppOptions } from './create-app.js';
import { doubtfulSettings, readEnvironment, type Environment } from './settings/environment.js';
import { openFilesLimit, openFilesWarning } from './settings/open-files.js';
import { Readiness } from './health/readiness.js';
import { DevelopmentApiKey } from './keys/development-api-key.js';
import { exitOnSignals } from '@animal-store/http';
import { Log } from '@animal-store/logging';
import { loggedPath } from './logging/request-log.js';

/** The addresses that stand for all addresses of a machine, in IPv4 and IPv6. */
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/**
 * How many connections the kernel keeps until they are accepted, but not more than `net.core.somaxconn`. Node's default is
 * 511, and the client of a further one asks again only after a second.
 */
const BACKLOG = 4_096;

const LISTENING = 'Animal Store is listening on';

type Greeted = Pick<Environment, 'DOCS_ENABLED' | 'HOST'>;

/**
 * Starts the service, prints the greeting, and logs why the service is not ready, if so. Signals end the service.
 *
 * @throws InvalidEnvironmentError
 */
export async function serve(variables: NodeJS.ProcessEnv, options?: CreateAppOptions): Promise<void> {
  const environment = readEnvironment(variables);
  const app = await createApp(environment, options);
  const log = app.get(Log, { strict: false });
  exitOnSignals(app, {
    delaySeconds: environment.SHUTDOWN_DELAY_SECONDS,
    graceSeconds: environment.SHUTDOWN_GRACE_SECONDS,
    loggedPath: (target) => loggedPath(target, environment.BOOTSTRAP_API_KEY),
  });
  const tooFewFiles = openFilesWarning(environment.MAX_CONNECTIONS, openFilesLimit()) ?? [];
  for (const sentence of doubtfulSettings(environment).concat(tooFewFiles))
    log.logger.warn({ context: 'Settings' }, sentence);
  // Nest hands on what Node's `listen` takes, and has types for the first two only.
  await app.listen(environment.PORT, environment.HOST, BACKLOG as never);
  // Only the embedded database has a development key.
  const key = environment.DATABASE_URL === undefined ? app.get(DevelopmentApiKey, { strict: false }).value : undefined;
  greet(log, await app.getUrl(), environment, key);
  await app.get(Readiness, { strict: false }).logState();
}

/**
 * Says where the service is, at every log level: as sentences for people, as one line of the log for programs.
 *
 * @param url an address of the service on this machine
 * @param key the development key, if there is one
 */
export function greet(log: Log, url: string, environment: Greeted, key: string | undefined): void {
  if (log.isReadable) {
    log.print(greeting(url, environment, key));
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
