import { setFlagsFromString } from 'node:v8';
import { tellFailure } from './cli/program.js';
import type { CreateAppOptions } from './create-app.js';
import { serve } from './serve.js';
import { loadEnvironmentFile } from './settings/environment.js';

/**
 * The program of a server. It reads the settings, listens until a signal ends it, and prints the greeting. If it cannot
 * start, it says why and ends the process.
 *
 * @param options of a program that serves other modules than the service itself
 */
export async function runServer(options?: CreateAppOptions): Promise<void> {
  // Turns off a heuristic of V8: when hundreds of connections are opened at once, V8 assumes that objects of requests
  // live long, and allocates those of every request in the old generation until a restart.
  setFlagsFromString('--no-allocation-site-pretenuring');

  try {
    loadEnvironmentFile();
    await serve(process.env, options);
  } catch (error) {
    tellFailure('animal-store did not start.', error);
    process.exit(1);
  }
}
