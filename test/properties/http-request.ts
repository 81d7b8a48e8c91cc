/** A request as it is to be sent; texts are of the characters U+0000 to U+00FF, each of which is one byte. */
export interface HttpRequest {
  readonly method: string;
  /** As the request line has it: the path with its query. */
  readonly target: string;
  /** Besides `Host` and `Content-Length`, in this order; a name may come more than once. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer | undefined;
}

export const AUTHORIZATION = 'Authorization';

/** The field with which a request names its key. */
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
