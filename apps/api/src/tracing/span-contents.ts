import type { IncomingMessage } from 'node:http';
import type { Attributes } from '@opentelemetry/api';
import { hideApiKeys } from '@animal-store/auth';
import { clientAddress, loggedPath } from '../logging/logged-request.js';

/** Strings, whose quotes are doubled, and numbers, except the number of a parameter and digits in a name. */
const LITERALS = /'(?:[^']|'')*'|(?<![\w$])[0-9]+(?:\.[0-9]+)?(?!\w)/g;

/**
 * The attributes of a request's span, which replace those of the instrumentation: like the log, no query and no key,
 * and headers of proxies only if they are trusted.
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
 * A statement with `?` instead of its literals. The ORM writes values into the text of its queries, including the hash
 * of the API key.
 */
export function statementText(sql: string): string {
  return sql.replace(LITERALS, '?');
}
