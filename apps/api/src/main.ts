import { setFlagsFromString } from 'node:v8';
import { generateApiKey } from '@animal-store/auth';
import { exitOnSignals } from '@animal-store/http';
import { Log } from '@animal-store/logging';
import { reasonOf } from './cli/program.js';
import { createApp, type CreateAppOptions } from './create-app.js';
import { Readiness } from './health.controller.js';
import { openFilesWarning, processEnvironment, settingWarnings, type Environment } from './settings.js';

/**
 * How many connections may wait to be accepted, up to `net.core.somaxconn`. With Node's default of 511, the client of a further
 * one asks again only after a second.
 */
const BACKLOG = 4_096;

/**
 * Serves until a signal ends the process. If the service cannot start, it says why and ends the process with the exit code 1.
 *
 * @param options of a program that serves other modules than the service itself
 */
export async function runServer(options?: CreateAppOptions): Promise<void> {
  // Turns off a heuristic of V8: when hundreds of connections are opened at once, V8 assumes that objects of requests
  // live long, and allocates those of every request in the old generation until a restart.
  setFlagsFromString('--no-allocation-site-pretenuring');

  try {
    await serve(processEnvironment(), options);
  } catch (error) {
    console.error(`animal-store did not start. ${reasonOf(error)}`);
    process.exit(1);
  }
}

async function serve(settings: Environment, options?: CreateAppOptions): Promise<void> {
  // The embedded database begins without a key, so the process gets one for as long as it runs.
  const needsKey = settings.DATABASE_URL === undefined && settings.BOOTSTRAP_API_KEY === undefined;
  const key = needsKey ? generateApiKey(settings.API_KEY_PREFIX) : settings.BOOTSTRAP_API_KEY;
  const environment = { ...settings, BOOTSTRAP_API_KEY: key };
  const app = await createApp(environment, options);
  const { logger } = app.get(Log, { strict: false });
  const { NODE_ENV, SHUTDOWN_GRACE_SECONDS: graceSeconds } = environment;
  // In development there is no load balancer that must notice the shutdown.
  exitOnSignals(app, { delaySeconds: NODE_ENV === 'production' ? Math.floor(graceSeconds / 5) : 0, graceSeconds });
  const warnings = settingWarnings(environment).concat(openFilesWarning(environment.MAX_CONNECTIONS) ?? []);
  for (const warning of warnings) logger.warn({ context: 'Settings' }, warning);

  // Nest hands on what Node's `listen` takes, and has types for the first two only.
  await app.listen(environment.PORT, environment.HOST, BACKLOG as never);
  const url = await app.getUrl();
  // Where the service is must be known at every level of the log.
  const greeting = logger.child({}, { level: 'info' });
  if (environment.DOCS_ENABLED) greeting.info(`Documentation: ${url}/docs`);
  if (needsKey) {
    greeting.info(`Development key: ${key} (a new one at each start, unless BOOTSTRAP_API_KEY is set)`);
    greeting.info(`Try it: curl -H 'Authorization: Bearer ${key}' ${url}/v1/pets`);
  }
  // The last one, for programs that wait for it.
  greeting.info(`Animal Store is listening on ${url}`);
  await app.get(Readiness, { strict: false }).check();
}

if (import.meta.main) await runServer();
