import { SetMetadata } from '@nestjs/common';
import type { HeaderFields } from './http-response.js';

export interface DeprecationOptions {
  /** Since when, such as `2026-11-20` (RFC 9745). */
  readonly since: string | Date;
  /** When it will be removed (RFC 8594). */
  readonly sunset?: string | Date;
  /** The address of what takes its place, such as `/v2/pets` (RFC 5829). */
  readonly successor?: string;
}

/** What the answers of a deprecated method tell. */
export interface Deprecation {
  readonly fields: HeaderFields;
  /** In seconds since 1970. */
  readonly sunset: number | undefined;
}

/** The metadata of a handler that holds its {@link Deprecation}. */
export const DEPRECATION = 'animal-store:deprecation';

/**
 * Says that this method of a controller will be removed: in the header fields of every answer, refusals included, in the
 * OpenAPI document, in the log and in the metrics.
 *
 * @throws at once where a date is none, or the removal comes before the deprecation
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
