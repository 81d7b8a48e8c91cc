import { runWorkload } from '../load/load-generator.mjs';

/** Long enough for every server: the product adds 23,000 pets a second at first and 33,000 after 8 s, nest-mikroorm 2,600 and 4,500. */
export const WARM_UP_SECONDS = 8;

/** Sends a workload until V8 has compiled the functions of the server and PostgreSQL has mapped the memory that it reads. */
export async function warmUp(server, workload, options) {
  await runWorkload(server, workload, { ...options, seconds: WARM_UP_SECONDS });
}
