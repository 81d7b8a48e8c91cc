/** Compiles as `nest build` does, only faster: same decorators, same ES modules. */
const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    {
      jsc: {
        target: 'es2024',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
      },
      module: { type: 'es6' },
    },
  ],
};

/** The aliases of tsconfig.base.json, the longer one first. */
const moduleNameMapper = {
  '^@animal-store/persistence/(.+)$': '<rootDir>/libs/persistence/src/$1/index.ts',
  '^@animal-store/(.+)$': '<rootDir>/libs/$1/src/index.ts',
  '^(\\.{1,2}/.*)\\.js$': '$1',
};

const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform,
  moduleNameMapper,
};

/** Those that need a database share one PostgreSQL server, started once. */
const withDatabase = {
  ...common,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

export default {
  maxWorkers: 2,
  testTimeout: 30_000,
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/{apps,libs,test}/**/*.spec.ts'] },
    { ...withDatabase, displayName: 'integration', testMatch: ['<rootDir>/test/**/*.int-spec.ts'] },
    { ...withDatabase, displayName: 'e2e', testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'] },
    { ...withDatabase, displayName: 'faults', testMatch: ['<rootDir>/test/faults/**/*.fault-spec.ts'] },
    { ...withDatabase, displayName: 'abuse', testMatch: ['<rootDir>/test/abuse/**/*.abuse-spec.ts'] },
  ],
};
