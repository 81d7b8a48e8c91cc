import { defineConfig } from '@hey-api/openapi-ts';

export default defineConfig({
  input: 'openapi.yaml',
  output: 'hey-api/exact-generated',
  plugins: [
    '@hey-api/client-fetch',
    { name: '@hey-api/transformers', bigInt: true },
    { name: '@hey-api/sdk', transformer: true },
  ],
});
