import { Module, type DynamicModule } from '@nestjs/common';
import { InvalidEnvironmentError, readDeclaredSettings, type SettingsClass } from './declared-settings.js';

const VARIABLES = 'animal-store:variables';

/** Modules declare their settings while they are loaded, as `@Module()` is evaluated then. */
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
      const { values, faults } = readDeclaredSettings(settings, variables);
      if (faults.length > 0) throw new InvalidEnvironmentError(faults);
      return Object.assign(new settings(), values);
    };
    const provider = { provide: settings, useFactory, inject: [VARIABLES] };
    return { module: SettingsModule, providers: [provider], exports: [settings] };
  }
}

/** The settings that the modules which are loaded have declared: they are checked before the application is created. */
export function declaredSettings(): SettingsClass[] {
  return [...DECLARED];
}
