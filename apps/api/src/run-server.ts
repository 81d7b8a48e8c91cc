import { setFlagsFromString } from 'node:v8';
import type { CreateAppOptions } from './create-app.js';
import { loadEnvironmentFile } from './environment-file.js';
import { readEnvironment } from './environment.js';
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
    const { serve } = await import('./serve.js');
    await serve(environment, await load?.());
  } catch (error) {
    const { exitCodeOf, sentenceOf } = await import('./cli/failures.js');
    console.error(`animal-store did not start. ${sentenceOf(error)}`);
    process.exit(exitCodeOf(error));
  }
}
