import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const PARTS = ['annotations', 'core', 'databind'] as const;

/** The class path of the JSON library for the examples in Java: the packages of Debian, or the newest version of Maven. */
export function jacksonClasspath(): string | undefined {
  const ofDebian = PARTS.map((part) => `/usr/share/java/jackson-${part}.jar`);
  if (ofDebian.every((file) => existsSync(file))) return ofDebian.join(':');
  const ofMaven = PARTS.map(newestOfMaven);
  return ofMaven.every((file) => file !== undefined) ? ofMaven.join(':') : undefined;
}

function newestOfMaven(part: string): string | undefined {
  const folder = join(homedir(), '.m2/repository/com/fasterxml/jackson/core', `jackson-${part}`);
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
    .map((version) => join(folder, version, `jackson-${part}-${version}.jar`))
    .find((file) => existsSync(file));
}
