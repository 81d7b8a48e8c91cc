import { byteSize } from './byte-size.js';

/** `BODY_LIMIT`: the largest body that one request may send, in bytes. From 1 byte up; 1 MiB by default. */
export const BODY_LIMIT = byteSize.default(1024 ** 2);

/** `BODIES_LIMIT`: the memory of all bodies that are being read, in bytes. At least one whole body must fit. */
export const BODIES_LIMIT = byteSize.optional();

/** The default of `BODIES_LIMIT`: 64 MiB, or one body if a body may be larger than that. */
export function defaultBodiesLimit(bodyLimit: number): number {
  return Math.max(64 * 1024 ** 2, bodyLimit);
}
