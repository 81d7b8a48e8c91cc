import { setFlagsFromString } from 'node:v8';
import { exitOnSignals } from '@animal-store/http';
import { Log } from '@animal-store/logging';
import { reasonOf } from './cli/program.js';
import { createApp, type CreateAppOptions } from './create-app.js';
import { DevelopmentApiKey } from './development-key.js';
import { Readiness } from './health.controller.js';
import { loggedPath } from './request-log.js';
import { openFilesWarning, processEnvironment, settingWarnings, type Environment } from './settings.js';

/**
 * How many connections the kernel keeps until they are accepted, but not more than `net.core.somaxconn`. Node's default is
 * 511, and the client of a further one asks again only after a second.
 */
const BACKLOG = 4_096;

/**
 * The program of a server: reads the settings, listens until a signal ends it, and logs where it is and why it is not ready, if
 * so. If it cannot start, it says why and ends the process.
 *
 * @param options of a program that serves other modules than the service itself
 */
export async function runServer(options?: CreateAppOptions): Promise<void> {
  // Turns off a heuristic of V8: when hundreds of connections are opened at once, V8 assumes that objects of requests
  // live long, and allocates those of every request in the old generation until a restart.
  setFlagsFromString('--no-allocation-site-pretenuring');

  try {
    const environment = processEnvironment();
    await serve(environment, options).catch((error: unknown) => {
      throw namingPort(error, environment);
    });
  } catch (error) {
    console.error(`animal-store did not start. ${reasonOf(error)}`);
    process.exit(1);
  }
}

/** Names the setting of a port that is taken: the service listens on two. */
function namingPort(error: unknown, environment: Environment): unknown {
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
  const name = (['PORT', 'METRICS_PORT'] as const).find((setting) => environment[setting] === port);
  return code === 'EADDRINUSE' && name !== undefined ? new Error(`${message}: set ${name} to a free one`) : error;
}

async function serve(environment: Environment, options?: CreateAppOptions): Promise<void> {
  const app = await createApp(environment, options);
  const { logger } = app.get(Log, { strict: false });
  exitOnSignals(app, {
    delaySeconds: environment.SHUTDOWN_DELAY_SECONDS,
    graceSeconds: environment.SHUTDOWN_GRACE_SECONDS,
    loggedPath: (target) => loggedPath(target, environment.BOOTSTRAP_API_KEY),
  });
  const warnings = settingWarnings(environment).concat(openFilesWarning(environment.MAX_CONNECTIONS) ?? []);
  for (const warning of warnings) logger.warn({ context: 'Settings' }, warning);

  // Nest hands on what Node's `listen` takes, and has types for the first two only.
  await app.listen(environment.PORT, environment.HOST, BACKLOG as never);
  const url = await app.getUrl();
  // Where the service is must be known at every level of the log.
  const greeting = logger.child({}, { level: 'info' });
  if (environment.DOCS_ENABLED) greeting.info(`Documentation: ${url}/docs`);
  if (environment.DATABASE_URL === undefined) {
    const key = app.get(DevelopmentApiKey, { strict: false }).value;
    greeting.info(`Development key: ${key}`);
    greeting.info(`Try it: curl -H 'Authorization: Bearer ${key}' ${url}/v1/pets`);
  }
  // The last one, for programs that wait for it.
  greeting.info(`Animal Store is listening on ${url}`);
  await app.get(Readiness, { strict: false }).check();
}

if (import.meta.main) await runServer();
