import { existsSync, readFileSync } from 'node:fs';
import { completeDatabaseUrls } from '@animal-store/persistence/database-url';
import { misspelledSettings } from './misspelled-settings.js';
import { RULES, SETTINGS, type Settings } from './settings.js';
import { tracingFaults } from './tracing/tracing.js';

/** Variables with secrets. Each may also come from a file, whose path is in `NAME_FILE`. */
const SECRETS = ['DATABASE_URL', 'DATABASE_REPLICA_URLS', 'BOOTSTRAP_API_KEY'] as const;

/** The configuration of the service. Every value is valid. `.env.example` lists the variables. */
export interface Environment extends Settings {
  readonly BODIES_LIMIT: number;
  readonly SHUTDOWN_DELAY_SECONDS: number;
}

/** The environment is not a valid configuration. The message lists every fault, and no value. */
export class InvalidEnvironmentError extends Error {
  /** @param hints possible reasons of the faults */
  constructor(
    readonly faults: readonly string[],
    hints: readonly string[] = [],
  ) {
    super(`The environment is not valid:\n${[...faults, ...hints].map((line) => `  ${line}`).join('\n')}`);
  }
}

/** Reads the file `.env` into the environment, for a manual start. Variables that are already set do not change. */
export function loadEnvironmentFile(): void {
  if (existsSync('.env')) process.loadEnvFile();
}

/**
 * Reads the configuration from environment variables. An empty variable counts as unset.
 *
 * @throws InvalidEnvironmentError
 */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const { faults, unreadable } = readSecretFiles(set);
  const databaseFaults = completeDatabaseUrls(set);
  // Each setting is checked separately, and the rules between settings afterwards, so that no fault hides another one.
  const settings: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(SETTINGS.shape)) {
    const { success, data, error } = type.safeParse(set[name]);
    if (success) settings[name] = data;
    else faults.push(...error.issues.map(({ message }) => `${name} ${message}`));
  }
  for (const [name, faultOf] of RULES) {
    const fault = faultOf(settings);
    // If the file of a setting cannot be read, the missing value is not a second fault.
    if (typeof fault === 'string' && !unreadable.has(name)) faults.push(`${name} ${fault}`);
  }
  faults.push(...databaseFaults, ...tracingFaults(set));
  if (faults.length > 0) throw new InvalidEnvironmentError(faults, unknownSettings(variables));
  return completed(settings as Settings);
}

/** A sentence for each variable whose name is similar to the name of a setting: it has no effect. */
export function unknownSettings(variables: NodeJS.ProcessEnv): string[] {
  return misspelledSettings(variables, [...Object.keys(SETTINGS.shape), ...SECRETS.map((name) => `${name}_FILE`)]);
}

/** @param set gets the secrets from the files that it names */
function readSecretFiles(set: NodeJS.ProcessEnv): { faults: string[]; unreadable: Set<string> } {
  const faults: string[] = [];
  const unreadable = new Set<string>();
  for (const name of SECRETS) {
    const file = set[`${name}_FILE`];
    if (file === undefined) continue;
    if (set[name] !== undefined) faults.push(`${name} and ${name}_FILE are both set: keep one`);
    try {
      set[name] = readFileSync(file, 'utf8').trim();
    } catch {
      faults.push(`${name}_FILE names a file that cannot be read`);
      unreadable.add(name);
    }
  }
  return { faults, unreadable };
}

/** The memory of all bodies that are being read, by default; one body if a body may be larger than that. */
const DEFAULT_BODIES_LIMIT = 64 * 1024 ** 2;

/** Adds the defaults that depend on other settings. */
function completed(settings: Settings): Environment {
  const { BODIES_LIMIT, BODY_LIMIT, NODE_ENV, SHUTDOWN_DELAY_SECONDS, SHUTDOWN_GRACE_SECONDS } = settings;
  return {
    ...settings,
    BODIES_LIMIT: BODIES_LIMIT ?? Math.max(DEFAULT_BODIES_LIMIT, BODY_LIMIT),
    // In development there is no load balancer, and a delay would only be a nuisance.
    SHUTDOWN_DELAY_SECONDS:
      SHUTDOWN_DELAY_SECONDS ?? (NODE_ENV === 'production' ? Math.floor(SHUTDOWN_GRACE_SECONDS / 5) : 0),
  };
}
