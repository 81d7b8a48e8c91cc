import { holderOf } from './caller.js';

describe('the holder of an API key', () => {
  test('is the same for the keys of one lineage', () => {
    expect(holderOf({ id: 9n, lineageId: 7n })).toBe(holderOf({ id: 7n }));
  });

  test('is another one for a key of another lineage, and never that of the key of the environment', () => {
    const holders = ['bootstrap', holderOf({ id: 7n }), holderOf({ id: 9n, lineageId: 8n })];
    expect(new Set(holders).size).toBe(holders.length);
  });
});
