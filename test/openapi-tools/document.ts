import { join } from 'node:path';

/** The document that the tools read. */
export const DOCUMENT = join(import.meta.dirname, '../../docs/openapi.yaml');
