import { rawExchange, type RawAnswer } from '../support/raw-http.js';

/** A request before it is sent. Texts consist of the characters U+0000 to U+00FF, and each character is one byte. */
export interface HttpRequest {
  readonly method: string;
  /** The target of the request line: the path with its query. */
  readonly target: string;
  /** The fields besides `Host` and `Content-Length`, in this order. A name may occur more than once. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer | undefined;
}

/** The field with which a request sends its API key. */
export function authorizedBy(key: string): readonly [string, string] {
  return ['Authorization', `Bearer ${key}`];
}

/** The bytes of the request in HTTP/1.1. */
export function bytesOf({ method, target, fields, body }: HttpRequest): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    ...fields.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return body === undefined ? head : Buffer.concat([head, body]);
}

/** The longest part of a body that a failure shows. */
const SHOWN = 1_000;

/** The steps that were carried out, one after the other, for the message of a failure. */
export class Transcript {
  private readonly lines: string[] = [];

  /** @throws Error if the service closes the connection without an answer, or if no answer arrives in time */
  async send(port: number, request: HttpRequest, instance = 0): Promise<RawAnswer> {
    const { method, target, fields, body } = request;
    const sent = [`${method} ${target}`, ...fields.map((field) => field.join(': ')), body?.toString().slice(0, SHOWN)];
    const place = this.lines.length;
    this.lines.push(`instance ${instance + 1}: ${sent.filter((part) => part !== undefined).join(' | ')}`);
    const answer = await rawExchange(port, bytesOf(request), method);
    this.lines[place] = `${this.lines[place]!} => ${answer.status} ${answer.text().slice(0, SHOWN)}`;
    return answer;
  }

  note(text: string): void {
    this.lines.push(text);
  }

  toString(): string {
    return this.lines.join('\n');
  }
}

/** The id of the resource that a request created. */
export function createdId({ status, headers }: RawAnswer): string | undefined {
  return status === 201 ? /\/(?<id>[0-9]+)$/.exec(headers.get('location') ?? '')?.groups?.['id'] : undefined;
}
