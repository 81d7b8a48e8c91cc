export interface DeprecationOptions {
  /** The date of the deprecation, such as `2026-11-20` (RFC 9745). */
  readonly since: string | Date;
  /** The date of the removal (RFC 8594). */
  readonly sunset?: string | Date;
  /** The address of the replacement, such as `/v2/pets` (RFC 5829). */
  readonly successor?: string;
}
