/** What is at the bottom of an error, in its own words; an error for several addresses of one host has no words of its own. */
export function rootCauseMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return rootCauseMessage(error.cause);
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return rootCauseMessage(error.errors[0]);
  return error.message;
}
