/** A value at a time. */
export interface Point {
  /** In hours. */
  readonly at: number;
  readonly value: number;
}

/**
 * How much a value grows in an hour: the median of the slopes between every two points (Theil and Sen), which up to 29 % of
 * outliers do not move. It is 0 for less than two points.
 */
export function growthPerHour(points: readonly Point[]): number {
  const slopes = points.flatMap((from, index) =>
    points.slice(index + 1).map((to) => (to.value - from.value) / (to.at - from.at)),
  );
  return slopes.length === 0 ? 0 : median(slopes);
}

/** @throws where there are no values */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('There is no median of nothing');
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value that `share` of all values do not exceed; 0 where there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
