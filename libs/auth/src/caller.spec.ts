import { BOOTSTRAP_HOLDER, holderOf } from './caller.js';

describe('the holder of an API key', () => {
  test('is the same for the keys of one lineage', () => {
    expect(holderOf({ name: 'shop', lineageId: 7n })).toBe(holderOf({ name: 'shop', lineageId: 7n }));
  });

  test('is another one for a key of the same name and another lineage', () => {
    expect(holderOf({ name: 'shop', lineageId: 8n })).not.toBe(holderOf({ name: 'shop', lineageId: 7n }));
  });

  test('is the name for a key that is older than lineages are', () => {
    expect(holderOf({ name: 'shop' })).toBe('shop');
  });

  test('is nobody else, whatever the name of an old key is made to look like', () => {
    const lineage = holderOf({ name: 'shop', lineageId: 7n });
    const renamed = holderOf({ name: BOOTSTRAP_HOLDER });
    const holders = [BOOTSTRAP_HOLDER, lineage, renamed, holderOf({ name: lineage }), holderOf({ name: renamed })];
    expect(new Set(holders).size).toBe(holders.length);
  });

  test.each(['bootstrap', 'lineage:'.padEnd(255, 'x'), 'x'.repeat(255)])(
    'fits into 255 characters for an old key with the name %s',
    (name) => {
      expect(holderOf({ name }).length).toBeLessThanOrEqual(255);
    },
  );
});
