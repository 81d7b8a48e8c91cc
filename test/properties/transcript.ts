import { rawExchange, type RawAnswer } from '../support/raw-http.js';
import { bytesOf, type HttpRequest } from './http-request.js';

/** Something that was done to the service. */
export type Step = SentRequest | { readonly kind: 'restart'; readonly instance: number };

export interface SentRequest {
  readonly kind: 'request';
  readonly instance: number;
  readonly request: HttpRequest;
  /** Left out until it is there. */
  answer?: RawAnswer;
}

/** What was done to the service, one after the other, for the script that does it again. */
export class Transcript {
  readonly steps: Step[] = [];

  /** @throws Error where the service closes the connection without an answer, or none comes in time */
  async send(port: number, request: HttpRequest, instance = 0): Promise<RawAnswer> {
    const step: SentRequest = { kind: 'request', instance, request };
    this.steps.push(step);
    return (step.answer = await rawExchange(port, bytesOf(request), request.method));
  }

  noteRestart(instance: number): void {
    this.steps.push({ kind: 'restart', instance });
  }
}

/** The id of what a request made. */
export function createdId({ status, headers }: RawAnswer): string | undefined {
  return status === 201 ? /\/(?<id>[0-9]+)$/.exec(headers.get('location') ?? '')?.groups?.['id'] : undefined;
}
