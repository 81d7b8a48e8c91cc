import { BadRequestException, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { joinSentences, quoteName } from '../errors/sentences.js';

const NO_QUERY = 'animal-store:no-query';

/**
 * For a method that reads no query: a parameter is 400. A filter that is silently ignored would give other data than the
 * client asked for.
 */
export function NoQuery(): MethodDecorator {
  return SetMetadata(NO_QUERY, true);
}

/** Refuses query parameters on methods with {@link NoQuery}: a global guard, because the query comes before the body. */
export class NoQueryGuard implements CanActivate {
  private readonly reflector = new Reflector();

  /** @throws BadRequestException that names the parameters */
  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<Request>();
    if (!request.url.includes('?') || this.reflector.get(NO_QUERY, context.getHandler()) !== true) return true;
    const names = Object.keys(request.query);
    if (names.length === 0) return true;
    throw new BadRequestException(
      joinSentences(names.map((name) => `unknown query parameter ${quoteName(name)}: none are allowed here`)),
    );
  }
}
