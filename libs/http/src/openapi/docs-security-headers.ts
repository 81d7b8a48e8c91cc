import { helmetHeaders } from '../responses/helmet-headers.js';

/**
 * The security headers of the files of the documentation. The page of Swagger UI has its own scripts, and inline styles
 * and images.
 */
export const DOCS_SECURITY_HEADERS: Readonly<Record<string, string>> = helmetHeaders({
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
});
