import { createApp, exitOnSignals, type CreateAppOptions } from './create-app.js';
import { unknownSettings, type Environment } from './environment.js';
import { greet } from './greeting.js';
import { Readiness } from './health/readiness.js';
import { DevelopmentApiKey } from './keys/development-api-key.js';
import { listening } from '@animal-store/http';
import { Log, switchLevelOnSignal } from '@animal-store/logging';
import { loggedPath } from './logging/logged-request.js';

/** Starts the service, prints the greeting, and logs why the service is not ready, if so. Signals end the service. */
export async function serve(environment: Environment, options?: CreateAppOptions): Promise<void> {
  const app = await createApp(environment, options);
  const log = app.get(Log, { strict: false });
  switchLevelOnSignal(log);
  exitOnSignals(app, {
    delaySeconds: environment.SHUTDOWN_DELAY_SECONDS,
    graceSeconds: environment.SHUTDOWN_GRACE_SECONDS,
    loggedPath,
  });
  for (const sentence of unknownSettings(process.env)) log.logger.warn({ context: 'Settings' }, sentence);
  const { HOST: host, PORT: port } = environment;
  await listening(app.listen(port, host), { host: 'HOST', port: 'PORT' }, { host, port });
  // Only the embedded database has a development key.
  const key = environment.DATABASE_URL === undefined ? app.get(DevelopmentApiKey, { strict: false }).value : undefined;
  await greet(log, await app.getUrl(), environment, key);
  await app.get(Readiness, { strict: false }).logState();
}
