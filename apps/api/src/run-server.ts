import { setFlagsFromString } from 'node:v8';
import type { CreateAppOptions } from './create-app.js';
import { loadEnvironmentFile } from './settings/environment.js';

/**
 * The program of a server. It reads the settings, listens until a signal ends it, and prints the greeting. If it cannot
 * start, it says why and ends the process.
 *
 * @param load imports the application
 */
export async function runServer(load?: () => Promise<CreateAppOptions>): Promise<void> {
  // Turns off a heuristic of V8: when hundreds of connections are opened at once, V8 assumes that objects of requests
  // live long, and allocates those of every request in the old generation until a restart (docs/performance.md).
  setFlagsFromString('--no-allocation-site-pretenuring');

  try {
    loadEnvironmentFile();
    const { serve } = await import('./serve.js');
    await serve(process.env, await load?.());
  } catch (error) {
    const { exitCodeOf, sentenceOf } = await import('./cli/program.js');
    console.error(`animal-store did not start. ${sentenceOf(error)}`);
    process.exit(exitCodeOf(error));
  }
}
