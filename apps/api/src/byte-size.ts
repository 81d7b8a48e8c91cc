import { z } from 'zod';

const UNITS = { '': 1, k: 1024, m: 1024 ** 2 } as const;

/** A setting that is a size in bytes, with `k` or `m` for KiB and MiB, as in `1m`. */
export const byteSize = z
  .string()
  .regex(/^[1-9][0-9]{0,9}(?:[km]i?b?)?$/i, 'must be a number of bytes such as 1048576, 512k or 1m')
  .transform((text) => parseInt(text, 10) * UNITS[(/[km]/i.exec(text)?.[0].toLowerCase() ?? '') as keyof typeof UNITS]);
