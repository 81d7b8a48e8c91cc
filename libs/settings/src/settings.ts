import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** Settings by the names of their environment variables, each with the zod type of its text. */
export type SettingsShape = Readonly<Record<string, z.ZodType>>;

/** The values of settings, by the names of their variables. */
export type SettingsOf<Declared extends SettingsShape> = {
  readonly [Name in keyof Declared]: z.output<Declared[Name]>;
};

/** A class of {@link declareSettings}: its instances are the values, and it is the token for dependency injection. */
export interface SettingsClass<Values extends object = object> {
  new (): Values;
  readonly shape: SettingsShape;
}

/**
 * Declares settings of a module: the names of environment variables, each with the zod type of its text. Names should begin with
 * the name of the module, because all modules share the environment.
 *
 *     export class OrdersSettings extends declareSettings({ ORDERS_PER_PAGE: z.coerce.number().default(20) }) {}
 */
export function declareSettings<Declared extends SettingsShape>(shape: Declared): SettingsClass<SettingsOf<Declared>> {
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

/** A zod type with this metadata takes a text in quotes as it is. For all others the quotes are a slip. */
export const MAY_BE_QUOTED = { mayBeQuoted: true };

/** `docker run --env-file` and others keep quotes: a folder or a host would get a name with quotes. */
const QUOTED = /^(["']).*\1$/s;

/**
 * Reads settings, each from its variable, or from the file that `NAME_FILE` names. An empty variable counts as unset. White
 * space around the contents of a file is left out.
 *
 * @returns the values, and a sentence for each setting that has none
 */
export function readSettings(
  shape: SettingsShape,
  variables: NodeJS.ProcessEnv,
): { values: Record<string, unknown>; faults: string[] } {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, type] of Object.entries(shape)) {
    try {
      values[name] = parse(name, type, textOf(name, variables));
    } catch (error) {
      if (!(error instanceof InvalidEnvironmentError)) throw error;
      faults.push(...error.faults);
    }
  }
  return { values, faults };
}

/** @throws InvalidEnvironmentError */
function textOf(name: string, variables: NodeJS.ProcessEnv): string | undefined {
  const text = variables[name];
  const file = variables[`${name}_FILE`];
  if (file === undefined || file === '') return setText(text);
  if (setText(text) !== undefined)
    throw new InvalidEnvironmentError([`${name} and ${name}_FILE are both set: keep one`]);
  try {
    return setText(readFileSync(file, 'utf8').trim());
  } catch {
    throw new InvalidEnvironmentError([`${name}_FILE names a file that cannot be read`]);
  }
}

function setText(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** @throws InvalidEnvironmentError */
function parse(name: string, type: z.ZodType, text: string | undefined): unknown {
  if (text !== undefined && QUOTED.test(text) && type.meta()?.['mayBeQuoted'] !== true)
    throw new InvalidEnvironmentError([`${name} must be without the quotes around it: they would be a part of it`]);
  const { success, data, error } = type.safeParse(text);
  if (success) return data;
  if (text === undefined) throw new InvalidEnvironmentError([`${name} must be set`]);
  throw new InvalidEnvironmentError(error.issues.map(({ message }) => `${name} ${message}`));
}
