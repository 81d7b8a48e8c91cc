import { X509Certificate } from 'node:crypto';
import { readable } from './tls-file.js';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates in a file. @param faults what is wrong with the file is added */
export function certificatesOf(name: string, file: string, faults: string[]): X509Certificate[] {
  const parameter = `${name} (or PG${name.toUpperCase()})`;
  const content = readable(parameter, file, faults);
  if (content === undefined) return [];
  try {
    const found = (content.match(PEM) ?? []).map((text) => new X509Certificate(text));
    if (found.length > 0) return found;
  } catch {
    // A damaged certificate is reported as a missing one.
  }
  faults.push(`must name a file of certificates in PEM form in ${parameter}`);
  return [];
}
