import { existsSync } from 'node:fs';
import { completeDatabaseUrls } from '@animal-store/persistence/database-url';
import { declaredSettings, InvalidEnvironmentError, misspelledSettings, readSettings } from '@animal-store/settings';
import { completed, faultsBetween, SETTINGS, type CompleteSettings, type Settings } from './settings.js';

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
  faults.push(...faultsBetween(values), ...completeAddresses(values, set));
  for (const { shape } of declaredSettings()) faults.push(...readSettings(shape, set).faults);
  if (faults.length > 0) throw new InvalidEnvironmentError(faults, unknownSettings(variables));
  return { ...completed(values as Settings), variables: set };
}

/** Adds the variables of libpq to the addresses of the databases, in place. @returns the faults of the addresses */
function completeAddresses(values: Partial<Settings>, variables: NodeJS.ProcessEnv): string[] {
  const { DATABASE_URL, DATABASE_REPLICA_URLS } = values;
  const texts = { ...variables, DATABASE_URL, DATABASE_REPLICA_URLS: DATABASE_REPLICA_URLS?.join(',') };
  const faults = completeDatabaseUrls(texts);
  values.DATABASE_URL = texts.DATABASE_URL;
  values.DATABASE_REPLICA_URLS = texts.DATABASE_REPLICA_URLS?.split(',');
  return faults;
}

/** A sentence for each variable whose name is similar to the name of a setting: it has no effect. */
export function unknownSettings(variables: NodeJS.ProcessEnv): string[] {
  const shapes = [SETTINGS.shape, ...declaredSettings().map(({ shape }) => shape)];
  return misspelledSettings(variables, shapes.flatMap(Object.keys));
}
