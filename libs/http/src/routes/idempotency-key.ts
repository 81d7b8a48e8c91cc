import type { IncomingMessage } from 'node:http';
import { BadRequestException, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { IDEMPOTENCY_KEY_HOURS, type IdempotencyKey } from '@animal-store/kernel';

/**
 * Visible ASCII contains no space, and Node joins repeated header fields with a space: so the pattern refuses repeated
 * fields too.
 */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The name of the header field in a request. */
export const IDEMPOTENCY_KEY_FIELD = 'Idempotency-Key';

/** What the OpenAPI document says of it. There is no example: everybody would send the same key from a form. */
const DOCUMENTED = {
  name: IDEMPOTENCY_KEY_FIELD,
  description:
    'Makes it safe to repeat the request. Send a new value, such as a UUID, for each new request. Within ' +
    `${IDEMPOTENCY_KEY_HOURS} hours, requests with the same value and the same API key have the same response, also ` +
    'those that are sent at the same time: it is carried out once. Their bodies must say the same. An error is not ' +
    'remembered: send the request again with the same value, corrected if necessary.',
  required: false,
  schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

/** The property of the authenticated user that idempotency keys belong to. */
type RequestWithHolder = IncomingMessage & { readonly user?: { readonly holder?: string } };

function idempotencyKeyOf(_: unknown, context: ExecutionContext): IdempotencyKey | undefined {
  const request = context.switchToHttp().getRequest<RequestWithHolder>();
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  const { holder } = request.user ?? {};
  if (holder === undefined) throw new Error('An Idempotency-Key belongs to an API key, and this route asks for none');
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))
    throw new BadRequestException(
      'Idempotency-Key must be sent once, as 1 to 255 visible ASCII characters without blanks',
    );
  return { holder, key };
}

/**
 * A parameter of a handler: the `Idempotency-Key` of the request, with the holder of its API key, who stays the same when the key
 * is rotated (ADR 0011). `undefined` if the client sent none; one that is malformed, or sent twice, is 400. The header field is
 * in the document, too.
 */
export const SentIdempotencyKey = createParamDecorator(idempotencyKeyOf, [
  (prototype: object, handler: string | symbol | undefined) => {
    const descriptor = handler === undefined ? undefined : Object.getOwnPropertyDescriptor(prototype, handler);
    if (handler !== undefined && descriptor !== undefined) ApiHeader(DOCUMENTED)(prototype, handler, descriptor);
  },
]);
