import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';

/** The header fields that helmet sets on a response. They never change, so it runs once and not for every request. */
function helmetHeaders(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  class RecordingResponse extends ServerResponse {
    override setHeader(name: string, value: string): this {
      headers[name] = value;
      return super.setHeader(name, value);
    }
  }
  const request = new IncomingMessage(new Socket());
  helmet(options)(request, new RecordingResponse(request), () => undefined);
  return headers;
}

/**
 * The security headers of every JSON response, for clients that read JSON: nothing may be executed, framed, sniffed or
 * sent in clear text.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = helmetHeaders({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  xFrameOptions: { action: 'deny' },
  // The following are for browsers that show a page.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});
