import type { ServerResponse } from 'node:http';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { HttpResponse } from './http-response.js';

/**
 * Gives the other interceptors what an {@link HttpResponse} holds: its header fields are set on the response, and its
 * body becomes a value that they may change. It must be the last interceptor. The application has it if it has other
 * global interceptors; a route with an interceptor of its own names it: `@UseInterceptors(Wrapping, UnpackedResponse)`.
 */
@Injectable()
export class UnpackedResponse implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((result: unknown) => {
        if (!(result instanceof HttpResponse)) return result;
        const response = context.switchToHttp().getResponse<ServerResponse>();
        const { ownFields } = result;
        for (let index = 0; index < ownFields.length; index += 2)
          response.appendHeader(ownFields[index] ?? '', ownFields[index + 1] ?? '');
        return result.toJSON();
      }),
    );
  }
}
