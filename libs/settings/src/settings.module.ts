import { Module, type DynamicModule, type ForwardReference, type Type } from '@nestjs/common';
import { InvalidEnvironmentError, readDeclaredSettings, type SettingsClass } from './declared-settings.js';

const VARIABLES = 'animal-store:variables';

/** Where `@Module()` records the imports of a module. */
const IMPORTS = 'imports';

/** Gives modules the settings that they declare. */
@Module({})
export class SettingsModule {
  /** Once in the application. @param variables the environment */
  static forRoot(variables: NodeJS.ProcessEnv): DynamicModule {
    const provider = { provide: VARIABLES, useValue: variables };
    return { module: SettingsModule, global: true, providers: [provider], exports: [provider] };
  }

  /** In a module: provides the class as a provider, with the values. */
  static forFeature(settings: SettingsClass): DynamicModule {
    const useFactory = (variables: NodeJS.ProcessEnv): object => {
      const { values, faults } = readDeclaredSettings(settings, variables);
      if (faults.length > 0) throw new InvalidEnvironmentError(faults);
      return Object.assign(new settings(), values);
    };
    const provider = { provide: settings, useFactory, inject: [VARIABLES] };
    return { module: SettingsModule, providers: [provider], exports: [settings] };
  }
}

/** The settings that modules declare, also the modules that they import: they are checked before the application is created. */
export async function declaredSettings(modules: readonly unknown[]): Promise<SettingsClass[]> {
  const found = new Set<SettingsClass>();
  const seen = new Set<unknown>();
  for (const module of modules) await visit(module);
  return [...found];

  async function visit(reference: unknown): Promise<void> {
    const module = resolved(await reference);
    if (seen.has(module) || module === undefined) return;
    seen.add(module);
    if (isDynamic(module)) {
      if (module.module === SettingsModule) for (const token of module.exports ?? []) found.add(token as SettingsClass);
      for (const imported of [module.module, ...(module.imports ?? [])]) await visit(imported);
    } else if (typeof module === 'function') {
      const imports = (Reflect.getMetadata(IMPORTS, module) ?? []) as unknown[];
      for (const imported of imports) await visit(imported);
    }
  }
}

function resolved(reference: unknown): unknown {
  const isForward = typeof reference === 'object' && reference !== null && 'forwardRef' in reference;
  return isForward ? (reference as ForwardReference<() => Type>).forwardRef() : reference;
}

function isDynamic(module: unknown): module is DynamicModule {
  return typeof module === 'object' && module !== null && 'module' in module;
}
