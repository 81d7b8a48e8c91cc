import { existsSync } from 'node:fs';

/** Takes what the file `.env` says into the environment, for a start by hand; what is set already stays. */
export function loadEnvironmentFile(): void {
  if (existsSync('.env')) process.loadEnvFile();
}
