import { rawExchange, type RawAnswer } from '../support/raw-http.js';
import { bytesOf, type HttpRequest } from './http-request.js';

/** A step: a request to the service, or a restart. */
export type Step = SentRequest | { readonly kind: 'restart'; readonly instance: number };

export interface SentRequest {
  readonly kind: 'request';
  readonly instance: number;
  readonly request: HttpRequest;
  /** Omitted until the answer has arrived. */
  answer?: RawAnswer;
}

/** The steps that were carried out, one after the other, for the script that repeats them. */
export class Transcript {
  readonly steps: Step[] = [];

  /** @throws Error if the service closes the connection without an answer, or if no answer arrives in time */
  async send(port: number, request: HttpRequest, instance = 0): Promise<RawAnswer> {
    const step: SentRequest = { kind: 'request', instance, request };
    this.steps.push(step);
    return (step.answer = await rawExchange(port, bytesOf(request), request.method));
  }

  noteRestart(instance: number): void {
    this.steps.push({ kind: 'restart', instance });
  }
}

/** The id of the resource that a request created. */
export function createdId({ status, headers }: RawAnswer): string | undefined {
  return status === 201 ? /\/(?<id>[0-9]+)$/.exec(headers.get('location') ?? '')?.groups?.['id'] : undefined;
}
