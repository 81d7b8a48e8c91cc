import { timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import type { Request } from 'express';

const expected = Buffer.from(`Bearer ${process.env['BOOTSTRAP_API_KEY']}`);

@Injectable()
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const sent = Buffer.from(request.headers.authorization ?? '');
    if (sent.length === expected.length && timingSafeEqual(sent, expected)) return true;
    throw new UnauthorizedException();
  }
}
