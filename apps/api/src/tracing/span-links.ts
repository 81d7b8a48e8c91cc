import { trace, type Context, type Link } from '@opentelemetry/api';

/** The maximum number of requests to which a span links: the default limit of the SDK. */
const MAX_LINKS = 128;

/** The links of a span to the traces of these requests. */
export function linksTo(origins: readonly Context[]): Link[] {
  return origins
    .slice(0, MAX_LINKS)
    .map((origin) => trace.getSpanContext(origin))
    .filter((spanContext) => spanContext !== undefined)
    .map((spanContext) => ({ context: spanContext }));
}
