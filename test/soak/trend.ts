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
