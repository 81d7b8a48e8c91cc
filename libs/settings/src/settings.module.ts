import { Module, type DynamicModule } from '@nestjs/common';
import { InvalidEnvironmentError, readSettings, type SettingsClass } from './settings.js';

const VARIABLES = 'animal-store:variables';

/**
 * What the modules that are loaded have declared. Like the metadata of a decorator, it is written while classes are evaluated,
 * and never afterwards: the settings of all modules are checked before there is an application.
 */
const DECLARED = new Set<SettingsClass>();

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
    DECLARED.add(settings);
    const useFactory = (variables: NodeJS.ProcessEnv): object => {
      const { values, faults } = readSettings(settings.shape, variables);
      if (faults.length > 0) throw new InvalidEnvironmentError(faults);
      return Object.assign(new settings(), values);
    };
    const provider = { provide: settings, useFactory, inject: [VARIABLES] };
    return { module: SettingsModule, providers: [provider], exports: [settings] };
  }
}

/** The settings that the modules which are loaded have declared. */
export function declaredSettings(): SettingsClass[] {
  return [...DECLARED];
}
