import { z } from 'zod';

const UNITS = { '': 1, k: 1024, m: 1024 ** 2 } as const;

/** A setting that is a size in bytes, with `k` or `m` for KiB and MiB, as in `1m`. */
export const byteSize = z
  .string()
  .regex(/^[1-9][0-9]{0,9}(?:[km]i?b?)?$/i, 'must be a number of bytes such as 1048576, 512k or 1m')
  .transform((text) => parseInt(text, 10) * UNITS[(/[km]/i.exec(text)?.[0].toLowerCase() ?? '') as keyof typeof UNITS]);

/** `BODY_LIMIT`: the largest body that one request may send, in bytes. From 1 byte up; 1 MiB by default. */
export const BODY_LIMIT = byteSize.default(1024 ** 2);

/** `BODIES_LIMIT`: the memory of all bodies that are being read, in bytes. At least one whole body must fit. */
export const BODIES_LIMIT = byteSize.optional();

/** The default of `BODIES_LIMIT`: 64 MiB, or one body if a body may be larger than that. */
export function defaultBodiesLimit(bodyLimit: number): number {
  return Math.max(64 * 1024 ** 2, bodyLimit);
}
