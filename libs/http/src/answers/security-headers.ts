import helmet, { type HelmetOptions } from 'helmet';
import type { RequestHandler } from 'express';

/** What a machine that reads JSON needs: nothing may be run, framed, sniffed or kept in clear text. */
const FOR_JSON: HelmetOptions = {
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  xFrameOptions: { action: 'deny' },
  // These speak to browsers that show a page.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

/** What the page of Swagger UI needs: its own scripts, and its inline styles and images. */
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

/** The security headers of every JSON answer. They never change, so helmet is asked once and not per request. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = collect(helmet(FOR_JSON) as RequestHandler);

/** The security headers of the documentation's files. */
export const DOCS_SECURITY_HEADERS: Readonly<Record<string, string>> = collect(helmet(FOR_DOCS) as RequestHandler);

function collect(middleware: RequestHandler): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => (headers[name] = value),
    removeHeader: () => undefined,
  };
  void middleware({} as never, response as never, () => undefined);
  return headers;
}
