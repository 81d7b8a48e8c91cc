import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * Classes for Node's server whose objects are born with the prototypes that Express gives to every request and response.
 * Express then finds them in place. Where it has to change them, objects that are in use change their kind, and the
 * engine gives up what it knows about them: that costs a tenth of a request.
 */
export function expressMessages(express: Express): {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
} {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  // Express's own prototypes lead on to Node's.
  Object.setPrototypeOf(ExpressRequest.prototype, express.request);
  Object.setPrototypeOf(ExpressResponse.prototype, express.response);
  Object.assign(express, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
