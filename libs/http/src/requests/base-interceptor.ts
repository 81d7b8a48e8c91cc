import type { NestInterceptor } from '@nestjs/common';

/** An interceptor of this library on the routes of any module. If a route has no other interceptor, it does nothing. */
export interface BaseInterceptor extends NestInterceptor {
  readonly isOfBase: true;
}

export function isOfBase(interceptor: unknown): interceptor is BaseInterceptor {
  return (interceptor as Partial<BaseInterceptor> | undefined)?.isOfBase === true;
}
