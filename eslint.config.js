import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import jest from 'eslint-plugin-jest';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: ['**/dist/', 'coverage/', 'bench/results/', 'test/architecture/fixture/'],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Nest makes modules of classes that hold nothing but their decorator or a static method, and begins with empty DTOs.
      '@typescript-eslint/no-extraneous-class': [
        'error',
        { allowEmpty: true, allowStaticOnly: true, allowWithDecorator: true },
      ],
      // An implementation of Nest's interfaces may name the parameters that it does not use.
      '@typescript-eslint/no-unused-vars': ['error', { args: 'none' }],
      // Numbers and bigints read well in a text; what does not is an object.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Of two booleans, `||` is an or.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { boolean: true } }],
      // A name that the type does not have is written as one: `process.env['USER']`.
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
      // The last one is that of supertest, also behind a function of the test.
      'jest/expect-expect': ['error', { assertFunctionNames: ['expect*', 'fc.assert', '**.expect'] }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      // What a response holds is `any`, and the test says what it must be.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // @types/jest promises what Jest does not give to ES modules.
      'no-restricted-globals': [
        'error',
        { name: 'jest', message: "Jest's tests are ES modules here: import { jest } from '@jest/globals'." },
        ...['fail', 'jasmine', 'pending', 'spyOn'].map((name) => ({ name, message: 'This Jest does not have it.' })),
      ],
    },
  },
  {
    // The packages of the benchmark are not installed with those of the service, so their types are unknown here.
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
