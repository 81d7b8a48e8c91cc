/**
 * Tells whether the client still waits for the response. Work that has not begun is then not needed. An `AbortSignal` is one.
 */
export interface Cancellation {
  /** Whether the client has stopped waiting. Once true, it stays true. */
  readonly aborted: boolean;
}
