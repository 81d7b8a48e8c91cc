import { existsSync } from 'node:fs';
import { distance } from 'fastest-levenshtein';
import { completeDatabaseUrls } from '@animal-store/persistence/database-url';
import {
  checkSettings,
  declaredSettings,
  InvalidEnvironmentError,
  readDeclaredSettings,
  readSettingFiles,
} from '@animal-store/settings';
import { RULES, SETTINGS, type Settings } from './settings.js';

/** Variables with secrets. Each may also come from a file, whose path is in `NAME_FILE`. */
const SECRETS = ['DATABASE_URL', 'DATABASE_REPLICA_URLS', 'BOOTSTRAP_API_KEY'] as const;

/** The configuration of the service. Every value is valid. `.env.example` lists the variables. */
export interface Environment extends Settings {
  readonly BODIES_LIMIT: number;
  readonly SHUTDOWN_DELAY_SECONDS: number;
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
  const databaseFaults = completeDatabaseUrls(set);
  // Each setting is checked separately, and the rules between settings afterwards, so that no fault hides another one.
  const checked = checkSettings(SETTINGS.shape, set, unreadable);
  faults.push(...checked.faults);
  for (const [name, faultOf] of RULES) {
    const fault = faultOf(checked.values);
    // If the file of a setting cannot be read, the missing value is not a second fault.
    if (typeof fault === 'string' && !unreadable.has(name)) faults.push(`${name} ${fault}`);
  }
  faults.push(...databaseFaults);
  for (const settings of declaredSettings()) faults.push(...readDeclaredSettings(settings, set).faults);
  if (faults.length > 0) throw new InvalidEnvironmentError(faults, unknownSettings(variables));
  return { ...completed(checked.values as Settings), variables: set };
}

/** A sentence for each variable whose name is similar to the name of a setting: it has no effect. */
export function unknownSettings(variables: NodeJS.ProcessEnv): string[] {
  const ofModules = declaredSettings().flatMap(({ shape }) => Object.keys(shape));
  const files = [...SECRETS, ...ofModules].map((name) => `${name}_FILE`);
  return misspelledSettings(variables, [...Object.keys(SETTINGS.shape), ...ofModules, ...files]);
}

/** The memory of all bodies that are being read, by default; one body if a body may be larger than that. */
const DEFAULT_BODIES_LIMIT = 64 * 1024 ** 2;

/** Adds the defaults that depend on other settings. */
function completed(settings: Settings): Omit<Environment, 'variables'> {
  const { BODIES_LIMIT, BODY_LIMIT, NODE_ENV, SHUTDOWN_DELAY_SECONDS, SHUTDOWN_GRACE_SECONDS } = settings;
  return {
    ...settings,
    BODIES_LIMIT: BODIES_LIMIT ?? Math.max(DEFAULT_BODIES_LIMIT, BODY_LIMIT),
    // In development there is no load balancer, and a delay would only be a nuisance.
    SHUTDOWN_DELAY_SECONDS:
      SHUTDOWN_DELAY_SECONDS ?? (NODE_ENV === 'production' ? Math.floor(SHUTDOWN_GRACE_SECONDS / 5) : 0),
  };
}

/** Up to this length, in characters, one wrong character may make a name another word, as in `POST` and `HOME`. */
const SHORT = 7;

/** A name of so many words is no accident if a setting begins with it: `RATE_LIMIT` means `RATE_LIMIT_PER_MINUTE`. */
const DISTINCTIVE_WORDS = 2;

/**
 * A sentence for each environment variable whose name is similar to the name of a setting.
 *
 * @param known the names of all settings
 */
function misspelledSettings(variables: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  return Object.keys(variables).flatMap((name) => {
    const meant = known.includes(name) ? undefined : probablyMeant(name, known);
    return meant === undefined ? [] : [`${name} is not a setting and has no effect. Did you mean ${meant}?`];
  });
}

/** Whether two neighbouring characters are swapped, as in `PROT`: a common slip that makes no other word. */
function isSwapped(text: string, setting: string): boolean {
  let at = 0;
  while (at < setting.length && setting[at] === text[at]) at += 1;
  const [first = '', second = ''] = setting.slice(at, at + 2);
  return text !== setting && text === `${setting.slice(0, at)}${second}${first}${setting.slice(at + 2)}`;
}

function probablyMeant(name: string, known: readonly string[]): string | undefined {
  const text = name.toUpperCase();
  const [nearest] = known
    .map((setting) => ({ setting, edits: distance(text, setting) }))
    .filter(({ setting, edits }) => edits <= (setting.length <= SHORT ? 1 : 2) || isSwapped(text, setting))
    .toSorted((one, other) => one.edits - other.edits);
  if (nearest !== undefined) return nearest.setting;
  const isTelling = text.split('_').filter((word) => word !== '').length >= DISTINCTIVE_WORDS;
  return isTelling ? known.find((setting) => setting.startsWith(text)) : undefined;
}
