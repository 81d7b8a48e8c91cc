import { helmetHeaders } from './helmet-headers.js';

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
