import type { ServerResponse } from 'node:http';
import { applyDecorators, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { JsonExpressAdapter } from '../express.adapter.js';
import { stateOf } from '../request-context.js';

export interface DeprecationOptions {
  /** The date of the deprecation, such as `2026-11-20` (RFC 9745). */
  readonly since: string;
  /** The date of the removal (RFC 8594). */
  readonly sunset: string;
  /** The address of the replacement, such as `/v2/pets` (RFC 5829): `PUBLIC_PATH_PREFIX` is put before it. */
  readonly successor: string;
}

const DEPRECATED = 'animal-store:deprecated';

/** The header fields with the dates, made once, and the address of the replacement. */
interface Announced {
  readonly dates: readonly string[];
  readonly successor: string;
}

/** Where an operation of the OpenAPI document carries its {@link DeprecationOptions}, until the document is complete. */
export const DEPRECATED_EXTENSION = 'x-deprecated';

/**
 * Announces that this method of a controller will be removed: in the header fields of every response, including
 * refusals, in the OpenAPI document, and in the metrics.
 *
 * @throws Error immediately if a date is invalid
 */
export function Deprecated(options: DeprecationOptions): MethodDecorator {
  const { since, sunset, successor } = options;
  const sunsetDate = new Date(secondsOf(sunset) * 1000).toUTCString();
  const dates = ['Deprecation', `@${secondsOf(since)}`, 'Sunset', sunsetDate];
  const announced: Announced = { dates, successor };
  return applyDecorators(SetMetadata(DEPRECATED, announced), ApiExtension(DEPRECATED_EXTENSION, options));
}

/** Announces methods with {@link Deprecated}: the first of the global guards, so that the refusals of others say it, too. */
@Injectable()
export class DeprecationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly host: HttpAdapterHost<JsonExpressAdapter>,
  ) {}

  canActivate(context: ExecutionContext): true {
    const announced = this.reflector.get<Announced | undefined>(DEPRECATED, context.getHandler());
    if (announced === undefined) return true;
    const { dates, successor } = announced;
    const link = `<${this.host.httpAdapter.pathPrefix}${successor}>; rel="successor-version"`;
    stateOf(context.switchToHttp().getResponse<ServerResponse>()).deprecation = [...dates, 'Link', link];
    return true;
  }
}

function secondsOf(date: string): number {
  const seconds = Math.floor(new Date(date).getTime() / 1000);
  if (Number.isNaN(seconds)) throw new Error(`@Deprecated: ${date} is not a date`);
  return seconds;
}
