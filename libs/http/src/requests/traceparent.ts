import type { IncomingMessage } from 'node:http';

/** The header `traceparent` (W3C Trace Context, section 3.2): version, trace id, parent id, flags. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?<traceId>(?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/** The trace id in the `traceparent` of a request; `undefined` if the header is missing or malformed. */
export function sentTraceId({ headers }: IncomingMessage): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.groups?.['traceId'] : undefined;
}
