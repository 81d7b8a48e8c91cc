import { existsSync } from 'node:fs';
import { isReadableByOthers } from '@animal-store/persistence/database-url';
import { declaredSettings, InvalidEnvironmentError, misspelledSettings, readSettings } from '@animal-store/settings';
import { completed, faultsBetween, SETTINGS, type CompleteSettings, type Settings } from './settings.js';

const IN_CLEAR =
  'leads to another machine without TLS, so whoever can listen on the way reads the data: add sslmode=verify-full, or require';

/** The configuration of the service. Every value is valid. `.env.example` lists the variables. */
export interface Environment extends CompleteSettings {
  /** All variables, for the settings that modules declare. */
  readonly variables: NodeJS.ProcessEnv;
}

/** Reads the file `.env` into the environment, for a manual start. Variables that are already set do not change. */
export function loadEnvironmentFile(): void {
  if (existsSync('.env')) process.loadEnvFile();
}

/**
 * Reads the configuration from environment variables. An empty variable counts as unset. Faults of the settings that loaded modules
 * declare are reported with all others.
 *
 * @throws InvalidEnvironmentError
 */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const { values, faults } = readSettings(SETTINGS.shape, set);
  faults.push(...faultsBetween(values));
  for (const { shape } of declaredSettings()) faults.push(...readSettings(shape, set).faults);
  if (faults.length > 0) throw new InvalidEnvironmentError(faults, unknownSettings(variables));
  return { ...completed(values as Settings), variables: set };
}

/** A sentence for each setting that may not do what was meant: an unknown name, or an address that sends data in clear. */
export function doubtfulSettings({ NODE_ENV, DATABASE_URL, DATABASE_READ_URL, variables }: Environment): string[] {
  const addresses = NODE_ENV === 'production' ? { DATABASE_URL, DATABASE_READ_URL } : {};
  const inClear = Object.entries(addresses).flatMap(([name, url]) =>
    url !== undefined && isReadableByOthers(url) ? [`${name} ${IN_CLEAR}`] : [],
  );
  return [...unknownSettings(variables), ...inClear];
}

/** A sentence for each variable whose name is similar to the name of a setting: it has no effect. */
export function unknownSettings(variables: NodeJS.ProcessEnv): string[] {
  const shapes = [SETTINGS.shape, ...declaredSettings().map(({ shape }) => shape)];
  return misspelledSettings(variables, shapes.flatMap(Object.keys));
}
