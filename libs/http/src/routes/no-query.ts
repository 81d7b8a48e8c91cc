import { BadRequestException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { joinSentences, quoteName } from '../errors/sentences.js';

/**
 * For a method that reads no query: a parameter is 400. A filter that is silently ignored would give other data than the
 * client asked for.
 */
export const NoQuery = Reflector.createDecorator<undefined, boolean>({ transform: () => true });

/** Refuses query parameters on methods with {@link NoQuery}: a global guard, because the query comes before the body. */
export class NoQueryGuard implements CanActivate {
  private readonly reflector = new Reflector();

  /** @throws BadRequestException that names the parameters */
  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<Request>();
    if (!request.url.includes('?') || !this.reflector.get(NoQuery, context.getHandler())) return true;
    const names = Object.keys(request.query);
    if (names.length === 0) return true;
    throw new BadRequestException(
      joinSentences(names.map((name) => `unknown query parameter ${quoteName(name)}: none are allowed here`)),
    );
  }
}
