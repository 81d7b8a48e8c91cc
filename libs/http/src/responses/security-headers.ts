import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';

/** For clients that read JSON: nothing may be executed, framed, sniffed or sent in clear text. */
const FOR_JSON: HelmetOptions = {
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  xFrameOptions: { action: 'deny' },
  // The following are for browsers that show a page.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

/** For the page of Swagger UI: its own scripts, and its inline styles and images. */
const FOR_DOCS: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
};

/** The security headers of every JSON response. They never change, so helmet runs once and not for every request. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = collect(FOR_JSON);

/** The security headers of the files of the documentation. */
export const DOCS_SECURITY_HEADERS: Readonly<Record<string, string>> = collect(FOR_DOCS);

function collect(options: HelmetOptions): Record<string, string> {
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
