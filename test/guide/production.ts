import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { certificateFile, keyFile } from '../support/certificates.js';
import { listen } from '../support/listen.js';

/** What the proxy takes away from the beginning of each path. */
export const PREFIX = '/shop';

/** How the proxy treats the requests for animals, one after the other. The service carries out all but the refused ones. */
export type Trouble = 'dropped' | 'refused' | 'cut';

/** What production looks like to a caller: a proxy with TLS, HTTP/2 and a prefix, and a caller in another time zone. */
export interface Production {
  readonly url: string;
  /** The troubles of the next requests. `refused` lasts until the date in its `Retry-After`. */
  troubles: Trouble[];
  close(): void;
}

/** @param target the address of a service that trusts its proxy, with {@link PREFIX} as its `PUBLIC_PATH_PREFIX` */
export async function openProduction(target: string): Promise<Production> {
  const certificate = { cert: readFileSync(certificateFile('server')), key: readFileSync(keyFile('server')) };
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (received, response) => {
    void answer(received, response).catch(() => received.socket.destroy());
  });
  let refusedUntil = 0;
  const production: Production = {
    url: `https://127.0.0.1:${await listen(server)}${PREFIX}`,
    troubles: [],
    close: () => server.close(),
  };
  return production;

  async function answer(received: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    if (production.troubles[0] === 'refused') {
      if (refusedUntil === 0) refusedUntil = Math.ceil(Date.now() / 1_000) * 1_000 + 1_000;
      if (Date.now() < refusedUntil) {
        response.writeHead(503, { 'retry-after': new Date(refusedUntil).toUTCString() }).end('<h1>Busy</h1>');
        return;
      }
      refusedUntil = 0;
      production.troubles.shift();
    }
    const trouble = production.troubles.shift();
    const [reply, body] = await forward(received);
    if (trouble === 'dropped') throw new Error('dropped');
    const headers = Object.entries(reply.headers).filter(([name]) => !['connection', 'keep-alive'].includes(name));
    response.writeHead(reply.statusCode ?? 502, Object.fromEntries(headers));
    if (trouble !== 'cut') response.end(body);
    else response.write(body.subarray(0, 10), () => received.socket.destroy());
  }

  async function forward(received: Http2ServerRequest): Promise<[IncomingMessage, Buffer]> {
    const { method, url } = received;
    if (!url.startsWith(`${PREFIX}/`)) throw new Error(`${url} is not behind the prefix`);
    const fields = Object.entries(received.headers).filter(
      ([name]) => !/^(?::.*|connection|upgrade|http2-settings)$/.test(name),
    );
    const sent = request(target + url.slice(PREFIX.length), { method, headers: Object.fromEntries(fields) });
    received.pipe(sent);
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    return [reply, await buffer(reply)];
  }
}

/** The environment of a caller who trusts the certificate of the proxy. */
export function callerOfProduction(): Record<string, string> {
  const authority = certificateFile('authority');
  return {
    TZ: 'America/Los_Angeles',
    CURL_CA_BUNDLE: authority,
    REQUESTS_CA_BUNDLE: authority,
    NODE_EXTRA_CA_CERTS: authority,
  };
}
