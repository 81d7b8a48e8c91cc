/** The code of an error: the SQLSTATE of PostgreSQL, or the name that Node gives it; `undefined` if it has none. */
export function errorCode(error: Error): string | undefined {
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
