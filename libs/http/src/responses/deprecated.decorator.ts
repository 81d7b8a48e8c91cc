import { SetMetadata } from '@nestjs/common';
import type { DeprecationOptions } from './deprecation-options.js';
import { DEPRECATION, type Deprecation } from './deprecation.js';

/**
 * Announces that this method of a controller will be removed: in the header fields of every response, including
 * refusals, in the OpenAPI document, in the log and in the metrics.
 *
 * @throws Error immediately if a date is invalid, or the removal comes before the deprecation
 */
export function Deprecated({ since, sunset, successor }: DeprecationOptions): MethodDecorator {
  const deprecatedAt = secondsOf(since);
  const removedAt = sunset === undefined ? undefined : secondsOf(sunset);
  if (removedAt !== undefined && removedAt < deprecatedAt)
    throw new Error(`@Deprecated: it can't be removed (${String(sunset)}) before it is deprecated (${String(since)})`);
  return SetMetadata<string, Deprecation>(DEPRECATION, {
    sunset: removedAt,
    fields: [
      ...['Deprecation', `@${deprecatedAt}`],
      ...(removedAt === undefined ? [] : ['Sunset', new Date(removedAt * 1000).toUTCString()]),
      ...(successor === undefined ? [] : ['Link', `<${successor}>; rel="successor-version"`]),
    ],
  });
}

function secondsOf(moment: string | Date): number {
  const seconds = Math.floor(new Date(moment).getTime() / 1000);
  if (Number.isNaN(seconds)) throw new Error(`@Deprecated: ${String(moment)} is no date`);
  return seconds;
}
