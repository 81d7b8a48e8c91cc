/** Who waits for an answer. The response of an HTTP request is one, and so is any stream. */
export interface Requester {
  /** Nobody waits any more: what was not begun for it need not be. */
  readonly destroyed: boolean;
}
