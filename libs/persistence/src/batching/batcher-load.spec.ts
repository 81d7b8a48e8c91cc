import { BatchSizes } from './batcher-load.js';

describe('the sizes of batches', () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 4],
    [5, 8],
    [256, 256],
    [257, 512],
    [512, 512],
    [513, undefined],
    [10_000, undefined],
  ])('count one of %i under the bound %p', (size, bound) => {
    const sizes = new BatchSizes();
    sizes.add(size);
    expect([...sizes.bounds, undefined].filter((_, index) => sizes.counts[index] === 1)).toEqual([bound]);
    expect(sizes.sum).toBe(size);
  });
});
