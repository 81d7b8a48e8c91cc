/** The message of the innermost cause. An error for several addresses of a host has no message, so its first error is taken. */
export function rootCauseMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return rootCauseMessage(error.cause);
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return rootCauseMessage(error.errors[0]);
  return error.message;
}
