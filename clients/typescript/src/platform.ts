/**
 * The types of the platform that the declarations of this package name: those of the DOM or of Node where the program has them,
 * and otherwise the part that a caller needs. So the declarations also compile without both.
 */

type Instance<Name extends string, Otherwise> =
  typeof globalThis extends Record<Name, { prototype: infer Type }> ? Type : Otherwise;

/** An `AbortSignal`. */
export type Signal = Instance<'AbortSignal', { readonly aborted: boolean }>;

/** `Headers`. */
export type HeaderFields = Instance<
  'Headers',
  { get(name: string): string | null; has(name: string): boolean; set(name: string, value: string): void }
>;

/** The function `fetch`. */
export type Fetch = typeof globalThis extends { fetch: infer Type }
  ? Type
  : (url: string, init: object) => Promise<object>;
