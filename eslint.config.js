import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import jest from 'eslint-plugin-jest';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  // The programs of generated clients are of another package, which compiles them.
  {
    ignores: [
      '**/dist/',
      '.dist-*/',
      'coverage/',
      'bench/results/',
      '**/generated/',
      'test/architecture/fixture/',
      'test/openapi-tools/clients/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Nest makes modules of classes that hold nothing but their decorator or a static method.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowStaticOnly: true }],
      // Numbers and bigints read well in a text; what does not is an object.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `noPropertyAccessFromIndexSignature` is the compiler's matter.
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/unbound-method': ['error', { ignoreStatic: true }],
      // An object of the right shape is as good as one of the class: DTOs and options are written as literals.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  {
    files: [
      '**/*.spec.ts',
      '**/*.int-spec.ts',
      '**/*.e2e-spec.ts',
      '**/*.caller-spec.ts',
      '**/*.program-spec.ts',
      'test/**/*.ts',
      '{libs,clients,examples}/*/test/**/*.ts',
    ],
    ...jest.configs['flat/recommended'],
    rules: {
      ...jest.configs['flat/recommended'].rules,
      'jest/consistent-test-it': ['error', { fn: 'test', withinDescribe: 'test' }],
      'jest/expect-expect': ['error', { assertFunctionNames: ['expect*', 'fc.assert'] }],
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // The packages of the benchmark are not installed with those of the service, so their types are unknown here.
    // `node bench/build-peers.mjs` compiles these files.
    files: ['bench/**/*.ts'],
    ...tseslint.configs.disableTypeChecked,
  },
  {
    // What is deprecated works as well, until it is gone.
    files: ['clients/*/test/**/*.ts', 'clients/*/src/**/*.spec.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  prettier,
);
