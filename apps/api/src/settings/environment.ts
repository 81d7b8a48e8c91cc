import { existsSync } from 'node:fs';
import { isReadableByOthers } from '@animal-store/persistence/database-url';
import {
  checkSettings,
  declaredSettings,
  InvalidEnvironmentError,
  readDeclaredSettings,
  readSettingFiles,
} from '@animal-store/settings';
import { misspelledSettings } from './misspelled-settings.js';
import { completed, RULES, SETTINGS, type CompleteSettings, type Settings } from './settings.js';

/** Variables with secrets. Each may also come from a file, whose path is in `NAME_FILE`. */
const SECRETS = ['DATABASE_URL', 'DATABASE_READ_URL', 'BOOTSTRAP_API_KEY'] as const;

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
  const { faults, unreadable } = readSettingFiles(SECRETS, set);
  // Each setting is checked separately, and the rules between settings afterwards, so that no fault hides another one.
  const checked = checkSettings(SETTINGS.shape, set, unreadable);
  faults.push(...checked.faults);
  for (const [name, faultOf] of RULES) {
    const fault = faultOf(checked.values);
    // If the file of a setting cannot be read, the missing value is not a second fault.
    if (typeof fault === 'string' && !unreadable.has(name)) faults.push(`${name} ${fault}`);
  }
  for (const settings of declaredSettings()) faults.push(...readDeclaredSettings(settings, set).faults);
  if (faults.length > 0) throw new InvalidEnvironmentError(faults, unknownSettings(variables));
  return { ...completed(checked.values as Settings), variables: set };
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
  const ofModules = declaredSettings().flatMap(({ shape }) => Object.keys(shape));
  const files = [...SECRETS, ...ofModules].map((name) => `${name}_FILE`);
  return misspelledSettings(variables, [...Object.keys(SETTINGS.shape), ...ofModules, ...files]);
}
