import { defineConfig } from 'orval';

export default defineConfig({
  exact: {
    input: '../openapi.yaml',
    output: {
      target: 'exact-generated.ts',
      client: 'fetch',
      override: { useBigInt: true, mutator: { path: 'exact.ts', name: 'exactFetch' } },
    },
  },
  plain: {
    input: '../openapi.yaml',
    output: {
      target: 'generated.ts',
      client: 'fetch',
      override: { mutator: { path: 'plain.ts', name: 'plainFetch' } },
    },
  },
});
