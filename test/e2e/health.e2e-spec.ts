import { createMigratedDatabase } from '../support/databases.js';
import { useApp } from '../support/running-app.js';

const NO_KEY = { key: null };

describe('health', () => {
  const app = useApp(createMigratedDatabase);

  test.each(['/health/live', '/health/ready'])('%s says up without a key, and nothing else', async (path) => {
    const answer = await app.request(path, NO_KEY);
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0], await answer.text()]).toEqual([
      200,
      'application/json',
      '{"status":"up"}',
    ]);
    expect(answer.headers.get('cache-control')).toMatch(/no-cache|no-store/);
  });
});
