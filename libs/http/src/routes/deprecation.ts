import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export interface DeprecationOptions {
  /** The date of the deprecation, such as `2026-11-20` (RFC 9745). */
  readonly since: string;
  /** The date of the removal (RFC 8594). */
  readonly sunset?: string;
  /** The address of the replacement, such as `/v2/pets` (RFC 5829). */
  readonly successor?: string;
}

/** The deprecation of a method, as its responses announce it. */
export interface Deprecation {
  /** Header fields; names and values alternate. */
  readonly fields: readonly string[];
  /** In seconds since 1970. */
  readonly sunset: number | undefined;
}

/** The metadata key of a handler's {@link Deprecation}. */
export const DEPRECATION = 'animal-store:deprecation';

/** Where an operation of the OpenAPI document carries its {@link Deprecation}, until the document is complete. */
export const DEPRECATION_EXTENSION = 'x-deprecation';

/**
 * Announces that this method of a controller will be removed: in the header fields of every response, including
 * refusals, in the OpenAPI document, in the log and in the metrics.
 *
 * @throws Error immediately if a date is invalid
 */
export function Deprecated({ since, sunset, successor }: DeprecationOptions): MethodDecorator {
  const deprecatedAt = secondsOf(since);
  const removedAt = sunset === undefined ? undefined : secondsOf(sunset);
  const deprecation: Deprecation = {
    sunset: removedAt,
    fields: [
      ...['Deprecation', `@${deprecatedAt}`],
      ...(removedAt === undefined ? [] : ['Sunset', new Date(removedAt * 1000).toUTCString()]),
      ...(successor === undefined ? [] : ['Link', `<${successor}>; rel="successor-version"`]),
    ],
  };
  return applyDecorators(SetMetadata(DEPRECATION, deprecation), ApiExtension(DEPRECATION_EXTENSION, deprecation));
}

function secondsOf(date: string): number {
  const seconds = Math.floor(new Date(date).getTime() / 1000);
  if (Number.isNaN(seconds)) throw new Error(`@Deprecated: ${date} is not a date`);
  return seconds;
}
