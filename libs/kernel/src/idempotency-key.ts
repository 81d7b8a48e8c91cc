/** The name that a client gives one request, however often it sends the request. */
export interface IdempotencyKey {
  /** Who sent the key. Two holders may use the same key for different requests. */
  readonly holder: string;
  readonly key: string;
}
