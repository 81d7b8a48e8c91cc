/** A request before it is sent. Texts consist of the characters U+0000 to U+00FF, and each character is one byte. */
export interface HttpRequest {
  readonly method: string;
  /** The target of the request line: the path with its query. */
  readonly target: string;
  /** The fields besides `Host` and `Content-Length`, in this order. A name may occur more than once. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer | undefined;
}

export const AUTHORIZATION = 'Authorization';

/** The field with which a request sends its API key. */
export function authorizedBy(key: string): readonly [string, string] {
  return [AUTHORIZATION, `Bearer ${key}`];
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
