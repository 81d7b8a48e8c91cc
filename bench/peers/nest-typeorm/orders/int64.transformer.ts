import type { ValueTransformer } from 'typeorm';

/** The driver returns a bigint as text. */
export const int64: ValueTransformer = {
  from: (text: string | null) => (text === null ? null : BigInt(text)),
  to: (value: bigint | null | undefined) => value?.toString(),
};
