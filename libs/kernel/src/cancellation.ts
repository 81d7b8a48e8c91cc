/**
 * Tells whether the one who asked still waits for the answer: what was not begun need not be. An `AbortSignal` is one.
 */
export interface Cancellation {
  /** Nobody waits any more. Once true, it stays so. */
  readonly aborted: boolean;
}
