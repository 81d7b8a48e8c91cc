import { z } from 'zod';
import type { AcceleratorName } from '@animal-store/http';

/** The names come from a type: an import of the library would load modules before tracing can instrument them. */
const NAMES = Object.keys({
  'route-execution': true,
  'compiled-validation': true,
} satisfies Record<AcceleratorName, true>) as AcceleratorName[];

/** `ACCELERATORS`: the accelerators that are on. All by default. */
export const ACCELERATORS = z
  .string()
  .refine(
    (text) => text === 'on' || text === 'off' || leftOut(text).every((name) => NAMES.some((of) => `-${of}` === name)),
    `must be on, off, or what to leave out, separated by commas, of ${NAMES.map((name) => `-${name}`).join(',')}`,
  )
  .transform((text) => NAMES.filter((name) => text !== 'off' && !leftOut(text).includes(`-${name}`)))
  .default(NAMES);

function leftOut(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}
