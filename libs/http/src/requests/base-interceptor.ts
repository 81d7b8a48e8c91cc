import type { NestInterceptor } from '@nestjs/common';

/** An interceptor that the base puts on routes of any module: where no other is, it has nothing to do. */
export interface BaseInterceptor extends NestInterceptor {
  readonly isOfBase: true;
}

export function isOfBase(interceptor: unknown): interceptor is BaseInterceptor {
  return (interceptor as Partial<BaseInterceptor> | undefined)?.isOfBase === true;
}
