import { setFlagsFromString } from 'node:v8';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { EXIT } from './cli/exit-codes.js';
import type { CreateAppOptions } from './create-app.js';
import { loadEnvironmentFile } from './environment-file.js';
import { InvalidEnvironmentError, readEnvironment, type Environment, unknownSettings } from './environment.js';
import { greeting } from './greeting.js';
import { loggedPath } from './logging/logged-path.js';
import { startTracing } from './tracing/tracing.js';

/**
 * The program of a server: it reads the settings, listens until a signal ends it, and greets. Where it cannot start, it says
 * why and ends the process.
 *
 * @param load imports what is beside the service; called once the traces run, as modules are instrumented while they load
 */
export async function runServer(load?: () => Promise<CreateAppOptions>): Promise<void> {
  // Hundreds of connections opened at once look to V8 as if what is made for a connection and for a request lived long: it
  // then makes it old from birth, and every request with it, until a restart (docs/performance.md). Heuristics off.
  setFlagsFromString('--no-allocation-site-pretenuring');

  try {
    loadEnvironmentFile();
    const environment = readEnvironment(process.env);
    await startTracing(process.env, environment);
    // Not before the traces: modules are instrumented while they load.
    const { createApp, exitOnSignals } = await import('./create-app.js');
    const app = await createApp(environment, await load?.());
    exitOnSignals(app, {
      delaySeconds: environment.SHUTDOWN_DELAY_SECONDS,
      graceSeconds: environment.SHUTDOWN_GRACE_SECONDS,
      loggedPath,
    });
    for (const sentence of unknownSettings(process.env)) console.warn(sentence);
    await app.listen(environment.PORT, environment.HOST);
    console.log(greeting(await app.getUrl(), environment, await developmentKey(app, environment)));
  } catch (error) {
    console.error(`animal-store did not start. ${error instanceof Error ? error.message : String(error)}`);
    process.exit(error instanceof InvalidEnvironmentError ? EXIT.configuration : EXIT.failed);
  }
}

/** Only the embedded database has one. */
async function developmentKey(app: NestExpressApplication, { DATABASE_URL }: Environment): Promise<string | undefined> {
  if (DATABASE_URL !== undefined) return undefined;
  const { DevelopmentApiKey } = await import('./keys/development-api-key.js');
  return app.get(DevelopmentApiKey, { strict: false }).value;
}
