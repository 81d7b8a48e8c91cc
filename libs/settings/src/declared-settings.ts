import { readFileSync } from 'node:fs';
import type { z } from 'zod';

type Shape = Readonly<Record<string, z.ZodType>>;

/** The values of settings, by the names of their variables. */
export type SettingsOf<Declared extends Shape> = { readonly [Name in keyof Declared]: z.output<Declared[Name]> };

/** A class of {@link declareSettings}: its instances are the values, and it is the token for dependency injection. */
export interface SettingsClass<Values extends object = object> {
  new (): Values;
  readonly shape: Shape;
}

/**
 * Declares settings of a module: the names of environment variables, each with the zod type of its text. Names should begin with
 * the name of the module, because all modules share the environment.
 *
 *     export class OrdersSettings extends declareSettings({ ORDERS_PER_PAGE: z.coerce.number().default(20) }) {}
 */
export function declareSettings<Declared extends Shape>(shape: Declared): SettingsClass<SettingsOf<Declared>> {
  class DeclaredSettings {
    static readonly shape = shape;
  }
  return DeclaredSettings as unknown as SettingsClass<SettingsOf<Declared>>;
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

/**
 * Reads variables from the files that `NAME_FILE` names.
 *
 * @param set gets the contents, without white space at their ends
 */
export function readSettingFiles(
  names: readonly string[],
  set: NodeJS.ProcessEnv,
): { faults: string[]; unreadable: Set<string> } {
  const faults: string[] = [];
  const unreadable = new Set<string>();
  for (const name of names) {
    const file = set[`${name}_FILE`];
    if (file === undefined || file === '') continue;
    if ((set[name] ?? '') !== '') faults.push(`${name} and ${name}_FILE are both set: keep one`);
    try {
      set[name] = readFileSync(file, 'utf8').trim();
    } catch {
      faults.push(`${name}_FILE names a file that cannot be read`);
      unreadable.add(name);
    }
  }
  return { faults, unreadable };
}

/**
 * Checks each setting on its own. An empty variable counts as unset.
 *
 * @param skipped names without a fault if they are unset, because their files could not be read
 */
export function checkSettings(
  shape: Shape,
  variables: NodeJS.ProcessEnv,
  skipped: ReadonlySet<string> = new Set(),
): { values: Record<string, unknown>; faults: string[] } {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, type] of Object.entries(shape)) {
    const text = variables[name] === '' ? undefined : variables[name];
    const { success, data, error } = type.safeParse(text);
    if (success) values[name] = data;
    else if (text === undefined) faults.push(...(skipped.has(name) ? [] : [`${name} must be set`]));
    else faults.push(...error.issues.map(({ message }) => `${name} ${message}`));
  }
  return { values, faults };
}

/** The values of declared settings, each from its variable or its file, and the faults. */
export function readDeclaredSettings(
  { shape }: SettingsClass,
  variables: NodeJS.ProcessEnv,
): { values: Record<string, unknown>; faults: string[] } {
  const set = { ...variables };
  const files = readSettingFiles(Object.keys(shape), set);
  const { values, faults } = checkSettings(shape, set, files.unreadable);
  return { values, faults: [...files.faults, ...faults] };
}
