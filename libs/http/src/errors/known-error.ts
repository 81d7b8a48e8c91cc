import { STATUS_OF_KIND, type HttpErrorKind } from './status-of-kind.js';

/** An error of this service, whichever module throws it. */
export interface KnownError extends Error {
  readonly kind: HttpErrorKind;
  readonly code: string;
  /** The value of `WWW-Authenticate`. */
  readonly challenge?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The code that threw it has already logged the reason. */
  readonly isLogged?: true;
}

/** Whether an error has the form of this service's errors. */
export function isKnown(thrown: unknown): thrown is KnownError {
  return (
    thrown instanceof Error &&
    'code' in thrown &&
    typeof thrown.code === 'string' &&
    'kind' in thrown &&
    Object.hasOwn(STATUS_OF_KIND, thrown.kind as string)
  );
}

/** The kind of an error that has the form of this service's errors, but an unknown kind. */
export function unknownKindOf(thrown: unknown): string | undefined {
  const { kind, code } = (thrown instanceof Error ? thrown : {}) as Partial<Record<string, unknown>>;
  return typeof kind === 'string' && typeof code === 'string' ? kind : undefined;
}
