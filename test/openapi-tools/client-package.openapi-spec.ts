import { PackedClient } from '../../clients/typescript/test/packed-client.js';
import { runTool } from './run-tool.js';

describe('the package of the client', () => {
  let client: PackedClient;

  beforeAll(() => {
    client = PackedClient.install();
  });

  afterAll(() => {
    client.remove();
  });

  test('is less than 6 kB, minified and compressed', () => {
    const { bytes } = client.sizeOf("export * from '@animal-store/client';");
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThan(6_000);
  });

  test('leaves out of a program what that does not use', () => {
    const { minified } = client.sizeOf("import { ApiError } from '@animal-store/client'; console.log(ApiError);");
    expect(minified).not.toContain('idempotency-key');
    expect(minified.length).toBeLessThan(1_500);
  });

  test.each([
    ['publint', 'run', '--strict'],
    // Resolves the types and the modules as each kind of import and require does.
    ['attw'],
  ])('has no finding of %s', async (tool, ...args) => {
    const { status, standardOutput } = await runTool(tool, [...args, client.tarball]);
    expect([standardOutput, status]).toEqual([expect.stringMatching(/All good!|No problems found/), 0]);
  });
});
