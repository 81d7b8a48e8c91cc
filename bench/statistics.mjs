/** The middle value, or the mean of the two middle values; `undefined` if there is no value. */
export function median(values) {
  const sorted = values.filter((value) => value !== undefined).toSorted((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}
