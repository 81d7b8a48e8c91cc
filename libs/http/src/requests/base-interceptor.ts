import type { NestInterceptor } from '@nestjs/common';

/** An interceptor that the base puts on routes of every module. Where no other is, a route is executed without both. */
export interface BaseInterceptor extends NestInterceptor {
  readonly isOfBase: true;
}

export function isOfBase(interceptor: unknown): interceptor is BaseInterceptor {
  return (interceptor as Partial<BaseInterceptor> | undefined)?.isOfBase === true;
}
