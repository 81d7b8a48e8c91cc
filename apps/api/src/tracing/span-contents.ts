import type { IncomingMessage } from 'node:http';
import type { Attributes } from '@opentelemetry/api';
import { hideApiKeys } from '@animal-store/auth';
import { clientAddress } from '../logging/client-address.js';
import { loggedPath } from '../logging/logged-path.js';

/** Strings, whose quotes are doubled, and numbers, but not the number of a parameter or one within a name. */
const LITERALS = /'(?:[^']|'')*'|(?<![\w$])[0-9]+(?:\.[0-9]+)?(?!\w)/g;

/**
 * What a span tells of a request in the place of what the instrumentation would: as the log, no query, no key, and of the
 * headers of proxies only what is believed.
 */
export function requestAttributes(request: IncomingMessage, trustsProxy: boolean): Attributes {
  return {
    'url.path': loggedPath(request.url ?? ''),
    'url.query': undefined,
    'client.address': clientAddress(request, trustsProxy),
    'user_agent.original': hideApiKeys(request.headers['user-agent']?.slice(0, 256) ?? ''),
  };
}

/**
 * A statement with `?` in the place of its literals. The ORM writes values into the text of its queries, and among those is
 * the hash of the API key.
 */
export function statementText(sql: string): string {
  return sql.replace(LITERALS, '?');
}
