import createClient, { type Middleware } from 'openapi-fetch';
import { parseExactly, stringifyExactly } from '../exact-json.js';
import type { paths } from './exact-schema.js';

/** Has openapi-fetch ask the answer itself for its value, which it does where the length is known. */
const readExactly: Middleware = {
  async onResponse({ response }) {
    if (!response.ok || response.body === null) return response;
    const text = await response.text();
    const headers = new Headers(response.headers);
    headers.set('Content-Length', String(text.length));
    const { status, statusText } = response;
    return Object.assign(new Response(text, { status, statusText, headers }), {
      json: () => Promise.resolve(parseExactly(text)),
    });
  },
};

export function exactClient(baseUrl: string, apiKey: string) {
  const client = createClient<paths>({
    baseUrl,
    headers: { authorization: `Bearer ${apiKey}` },
    bodySerializer: stringifyExactly,
  });
  client.use(readExactly);
  return client;
}
