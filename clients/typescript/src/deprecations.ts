import { printable } from './errors.js';
import { linkOf, parseHttpDate } from './header-fields.js';

/** The announcement of the service that it will remove an operation (RFC 9745, RFC 8594). */
export interface DeprecationNotice {
  /** For example `GET /pets/{petId}`. */
  readonly operation: string;
  /** The date of the announcement. */
  readonly since: Date | undefined;
  /** The date of the removal. If the date is past, the operation can disappear on any day. */
  readonly sunset: Date | undefined;
  /** The address of the operation that replaces this one. */
  readonly successor: string | undefined;
  /** Identifies the call in the log of the service. */
  readonly requestId: string;
  /** The whole notice as text. */
  readonly message: string;
}

/** @returns `undefined` if the response announces no deprecation */
export function deprecationOf(headers: Headers, operation: string, requestId: string): DeprecationNotice | undefined {
  const deprecation = headers.get('deprecation');
  if (deprecation === null && headers.get('sunset') === null) return undefined;
  const since = dateOf(Number(/^@(-?[0-9]+)/.exec(deprecation ?? '')?.[1]) * 1_000);
  const sunset = dateOf(parseHttpDate(headers.get('sunset')));
  const successor = linkOf(headers, 'successor-version');
  const message = [
    `${operation} is deprecated`,
    since && ` since ${day(since)}`,
    sunset && `, to be removed on ${day(sunset)}`,
    successor !== undefined && `; use ${successor}`,
    ` (request ${requestId})`,
  ];
  return { operation, since, sunset, successor, requestId, message: printable(message.filter(Boolean).join('')) };
}

function dateOf(milliseconds: number): Date | undefined {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
