/** `describe` if nothing is missing; otherwise `describe.skip`, after a warning that states what is missing. */
export function describeUnless(missing: string | undefined): typeof describe {
  if (missing === undefined) return describe;
  console.warn(missing);
  return describe.skip;
}
