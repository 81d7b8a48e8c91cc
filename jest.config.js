import { realpathSync } from 'node:fs';
import process from 'node:process';
import vm from 'node:vm';

// Otherwise Jest would fail at the first import, with an error that does not say why.
if (!('SourceTextModule' in vm) || Number(process.versions.node.split('.')[0]) < 24)
  throw new Error(
    'The tests are ES modules on Node 24: npm test -- <file>, or NODE_OPTIONS=--experimental-vm-modules npx jest <file>',
  );

/** Jest escapes only some of what means something to a pattern in `<rootDir>`, so patterns of paths begin with this. */
const ROOT = realpathSync(import.meta.dirname).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Where tests lie: those of a module in its own folder. */
const FOLDERS = 'apps|libs|clients|examples|test';

/** Files with names of this ending, in these folders. */
function tests(ending, folders = FOLDERS) {
  return { testRegex: [`^${ROOT}/(?:${folders})/.*[.]${ending}[.]ts$`] };
}

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

/** The aliases of tsconfig.base.json, the more special one first. */
const moduleNameMapper = {
  '^@animal-store/testing$': '<rootDir>/test/support/index.ts',
  '^@animal-store/client$': '<rootDir>/clients/typescript/src/index.ts',
  '^@animal-store/persistence/(.+)$': '<rootDir>/libs/persistence/src/$1/index.ts',
  '^@animal-store/(.+)$': '<rootDir>/libs/$1/src/index.ts',
  '^(\\.{1,2}/.*)\\.js$': '$1',
};

const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform,
  moduleNameMapper,
  setupFilesAfterEnv: ['<rootDir>/test/support/jest-setup.ts'],
  testPathIgnorePatterns: [`^${ROOT}/node_modules/`],
};

/** Those that need a database share one PostgreSQL server, started once. */
const withDatabase = {
  ...common,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

export default {
  maxWorkers: 2,
  // Jest keeps the modules of earlier test files: without a limit a worker grows to 2.5 GB, and takes half a second to end.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 30_000,
  projects: [
    { ...common, displayName: 'unit', ...tests('spec') },
    { ...withDatabase, displayName: 'integration', ...tests('int-spec') },
    { ...withDatabase, displayName: 'e2e', ...tests('e2e-spec') },
    { ...withDatabase, displayName: 'programs', ...tests('program-spec', 'test/e2e') },
    { ...withDatabase, displayName: 'callers', ...tests('caller-spec') },
    { ...withDatabase, displayName: 'faults', ...tests('fault-spec') },
    { ...common, displayName: 'chaos', ...tests('chaos-spec', 'test/chaos') },
    { ...withDatabase, displayName: 'abuse', ...tests('abuse-spec', 'test/abuse') },
    { ...withDatabase, displayName: 'alerts', ...tests('alert-spec', 'test/alerts') },
  ],
};
