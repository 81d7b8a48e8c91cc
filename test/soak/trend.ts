/** A value at one time. */
export interface Point {
  /** In hours. */
  readonly at: number;
  readonly value: number;
}

/**
 * How much a value grows in an hour: the median of the slopes between every two points (Theil and Sen). Up to 29 % of
 * outliers do not change the median. The growth is 0 for fewer than two points.
 */
export function growthPerHour(points: readonly Point[]): number {
  const slopes = points.flatMap((from, index) =>
    points.slice(index + 1).map((to) => (to.value - from.value) / (to.at - from.at)),
  );
  return slopes.length === 0 ? 0 : median(slopes);
}

/**
 * The lowest point of every `size` points in their order. A value that depends on what clients do at the moment, such as open
 * connections, returns to the same lowest value; what leaks stays.
 */
export function lowestOfEvery(size: number, points: readonly Point[]): Point[] {
  const groups = Array.from({ length: Math.ceil(points.length / size) }, (_, index) =>
    points.slice(index * size, (index + 1) * size),
  );
  return groups.map((group) => group.reduce((lowest, point) => (point.value < lowest.value ? point : lowest)));
}

/** @throws Error if there are no values */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('There is no median of nothing');
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value that `share` of all values do not exceed; 0 if there are no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
