import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IdempotencyKey } from '@animal-store/kernel';
import { withoutQuery } from './route-metadata.js';
import { RequestError } from '../errors/request.errors.js';

/**
 * Visible ASCII contains no space, and Node joins repeated header fields with a space: so the pattern refuses repeated
 * fields too.
 */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The property of the authenticated user that idempotency keys belong to. */
type RequestWithHolder = IncomingMessage & { readonly user?: { readonly holder?: string } };

/**
 * The `Idempotency-Key` of a request with an API key, together with the holder of the API key. The holder stays the
 * same when the API key is rotated, and a new key with the same name has another holder (ADR 0011).
 *
 * @returns `undefined` if the client sent no `Idempotency-Key`
 * @throws RequestError if it is malformed, or sent more than once
 */
export function idempotencyKeyOf(request: IncomingMessage): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  const holder = (request as RequestWithHolder).user?.holder;
  if (holder === undefined) throw new Error('An Idempotency-Key belongs to an API key, and this route asks for none');
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw RequestError.invalid([
      'Idempotency-Key must be sent once, as 1 to 255 visible ASCII characters without blanks',
    ]);
  }
  return { holder, key };
}

/** The value of {@link idempotencyKeyOf} as a parameter of a handler. */
export const SentIdempotencyKey = createParamDecorator(
  withoutQuery((_: unknown, context: ExecutionContext) => {
    const [request] = context.getArgs<[IncomingMessage]>();
    return idempotencyKeyOf(request);
  }),
);
