import { readFileSync } from 'node:fs';
import { Inject, Module, type DynamicModule } from '@nestjs/common';
import type { z } from 'zod';

const VARIABLES = Symbol('environment variables');

/** Written only while classes are evaluated, so that the settings of all modules are checked before there is an application. */
const declared: { readonly schema: z.ZodObject }[] = [];
export const DECLARED_SETTINGS: Readonly<typeof declared> = declared;

/**
 * Declares settings of a module: environment variables, each with the zod type of its text. The names should begin with that of
 * the module, because all modules share the environment. The class is a provider, and its instance has the values:
 *
 *     export class VetsSettings extends settingsOf(z.object({ VETS_PER_PAGE: z.coerce.number().default(20) })) {}
 *
 *     @Module({ providers: [VetsSettings, Vets] })
 */
export function settingsOf<Schema extends z.ZodObject>(schema: Schema) {
  class DeclaredSettings {
    static readonly schema = schema;

    constructor(@Inject(VARIABLES) variables: NodeJS.ProcessEnv) {
      const { values, faults } = readSettings(schema, variables);
      if (faults.length > 0) throw new InvalidEnvironmentError(faults);
      Object.assign(this, values);
    }
  }
  declared.push(DeclaredSettings);
  return DeclaredSettings as unknown as new (variables: NodeJS.ProcessEnv) => z.output<Schema>;
}

/** Gives the environment to the settings of the modules. */
@Module({})
export class SettingsModule {
  static forRoot(variables: NodeJS.ProcessEnv): DynamicModule {
    const provider = { provide: VARIABLES, useValue: variables };
    return { module: SettingsModule, global: true, providers: [provider], exports: [provider] };
  }
}

/** The environment is not a valid configuration. The message lists every fault, and no value. */
export class InvalidEnvironmentError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The environment is not valid:${faults.map((fault) => `\n  ${fault}`).join('')}`);
  }
}

/**
 * Reads settings, each from its variable, or from the file that `NAME_FILE` names. An empty variable counts as unset.
 *
 * @returns the values, which are valid if there are no faults: a sentence for each wrong setting
 */
export function readSettings<Schema extends z.ZodObject>(schema: Schema, variables: NodeJS.ProcessEnv) {
  const textOf = (name: string) => (variables[name] === '' ? undefined : variables[name]);
  const texts: Record<string, string | undefined> = {};
  const faults = new Map<string, string>();
  for (const name of Object.keys(schema.shape)) {
    const file = textOf(`${name}_FILE`);
    texts[name] = textOf(name);
    if (file === undefined) continue;
    if (texts[name] !== undefined) faults.set(name, `${name} and ${name}_FILE are both set: keep one`);
    try {
      texts[name] = readFileSync(file, 'utf8').trim() || undefined;
    } catch {
      faults.set(name, `${name}_FILE names a file that cannot be read`);
    }
  }
  const { data, error } = schema.safeParse(texts);
  for (const { path, code, message } of error?.issues ?? []) {
    const name = String(path[0]);
    const isMissing = texts[name] === undefined && code !== 'custom';
    if (!faults.has(name)) faults.set(name, `${name} ${isMissing ? 'must be set' : message}`);
  }
  return { values: data as z.output<Schema>, faults: [...faults.values()] };
}
