import { PackedClient } from '../../clients/typescript/test/packed-client.js';
import { runTool } from './tool.js';

describe('the package of the client', () => {
  let client: PackedClient;

  beforeAll(() => {
    client = PackedClient.install();
  });

  afterAll(() => {
    client.remove();
  });

  test.each([
    ['publint', 'run', '--strict'],
    // Resolves the types and the modules as each kind of import and require does.
    ['attw'],
  ])('has no finding of %s', async (tool, ...args) => {
    const { status, answered } = await runTool(tool, [...args, client.tarball]);
    expect([answered, status]).toEqual([expect.stringMatching(/All good!|No problems found/), 0]);
  });
});
