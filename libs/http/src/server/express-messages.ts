import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { isComplete } from '../answers/standing-fields.js';
import { readyAnswers, startedAt } from '../connections/exchanges.js';
import type { ReadyAnswers } from '../connections/ready-answers.js';
import { isServed } from '../connections/request-admission.js';

/** What Node's server makes requests and responses of. */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Classes for Node's server whose objects are born with the prototypes that Express gives to every request and response
 * (Express, "Overriding the Express API": `app.request`, `app.response`). Express then finds them in place. Where it has to
 * change them, objects that are in use change their kind, and the engine gives up what it knows about them: that costs a
 * fifth of a request.
 */
export function expressMessages(express: Express): MessageClasses {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    // Declared, so that all responses are of one shape: a fiftieth of a page.
    [startedAt]: number | undefined = undefined;
    [readyAnswers]: ReadyAnswers | undefined = undefined;
    [isServed] = false;
    [isComplete] = false;
  }
  // Express's own prototypes lead on to Node's.
  Object.setPrototypeOf(ExpressRequest.prototype, express.request);
  Object.setPrototypeOf(ExpressResponse.prototype, express.response);
  Object.assign(express, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
