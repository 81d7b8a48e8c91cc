import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { HeaderFields } from '../response-headers.js';

export interface DeprecationOptions {
  /** The date of the deprecation, such as `2026-11-20` (RFC 9745). */
  readonly since: string;
  /** The date of the removal (RFC 8594). */
  readonly sunset?: string;
  /** The address of the replacement, such as `/v2/pets` (RFC 5829): `PUBLIC_PATH_PREFIX` is put before it. */
  readonly successor?: string;
}

const DEPRECATED = 'animal-store:deprecated';

/** Where an operation of the OpenAPI document carries its {@link DeprecationOptions}, until the document is complete. */
export const DEPRECATED_EXTENSION = 'x-deprecated';

/**
 * Announces that this method of a controller will be removed: in the header fields of every response, including
 * refusals, in the OpenAPI document, in the log and in the metrics.
 *
 * @throws Error immediately if a date is invalid
 */
export function Deprecated(options: DeprecationOptions): MethodDecorator {
  secondsOf(options.since);
  if (options.sunset !== undefined) secondsOf(options.sunset);
  return applyDecorators(SetMetadata(DEPRECATED, options), ApiExtension(DEPRECATED_EXTENSION, options));
}

/**
 * The header fields of a method with {@link Deprecated}; `undefined` for any other.
 *
 * @param pathPrefix the prefix that a proxy removes from addresses
 */
export function deprecationOf(handler: object, pathPrefix: string): HeaderFields | undefined {
  const options = Reflect.getMetadata(DEPRECATED, handler) as DeprecationOptions | undefined;
  if (options === undefined) return undefined;
  const { since, sunset, successor } = options;
  return [
    ...['Deprecation', `@${secondsOf(since)}`],
    ...(sunset === undefined ? [] : ['Sunset', new Date(sunset).toUTCString()]),
    ...(successor === undefined ? [] : ['Link', `<${pathPrefix}${successor}>; rel="successor-version"`]),
  ];
}

function secondsOf(date: string): number {
  const seconds = Math.floor(new Date(date).getTime() / 1000);
  if (Number.isNaN(seconds)) throw new Error(`@Deprecated: ${date} is not a date`);
  return seconds;
}
