import { memoryLimit } from './process-metrics.js';

const GIB = 1024 ** 3;

describe('the limit of the memory', () => {
  test.each([
    ['is that of the control group', 0.5 * GIB, 0.5 * GIB],
    ['is none where Node knows of none', 0, undefined],
    ['is none where version 1 of control groups says so by a huge number', 18_446_744_073_709_552_000, undefined],
    ['is none where it is no less than there is', 16 * GIB, undefined],
  ])('%s', (_title, constrained, limit) => {
    expect(memoryLimit(constrained, 16 * GIB)).toBe(limit);
  });
});
