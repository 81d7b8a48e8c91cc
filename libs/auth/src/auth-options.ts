import type { ModuleMetadata } from '@nestjs/common';

/** Which keys are accepted. */
export interface AuthenticationOptions {
  /** A key from the environment that is accepted in addition to the stored keys. */
  readonly bootstrapKey?: string | undefined;
}

/** The options of {@link AuthModule}. */
export interface AuthModuleOptions extends AuthenticationOptions {
  /** Modules that export an adapter of {@link ApiKeys}. */
  readonly imports: NonNullable<ModuleMetadata['imports']>;
}
