import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { TlsSettings } from './tls-settings.js';

/** The reasons why the settings cannot be used. Each completes a sentence that begins with the name of the setting. */
export function tlsFaults(settings: TlsSettings): string[] {
  const { mode, rootCertificate, certificate, key } = settings;
  const faults: string[] = [];
  if (mode.startsWith('verify') && rootCertificate === undefined) {
    faults.push(`must name the authorities to trust in sslrootcert (or PGSSLROOTCERT) for sslmode=${mode}`);
  }
  if (rootCertificate === 'system' && mode !== 'verify-full') {
    faults.push(
      'must have verify-full for its sslmode with sslrootcert=system, as any site has a certificate of those',
    );
  }
  if ((certificate === undefined) !== (key === undefined))
    faults.push('must have both of sslcert and sslkey, or neither');
  if (rootCertificate !== undefined && rootCertificate !== 'system')
    certificatesOf('sslrootcert', rootCertificate, faults);
  const [own] = certificate === undefined ? [] : certificatesOf('sslcert', certificate, faults);
  const ownKey = key === undefined ? undefined : keyOf(key, faults);
  if (own !== undefined && ownKey !== undefined && !own.checkPrivateKey(ownKey)) {
    faults.push('must name the key of its sslcert (or PGSSLCERT) in sslkey (or PGSSLKEY): this one belongs to another');
  }
  return faults;
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function certificatesOf(name: string, file: string, faults: string[]): X509Certificate[] {
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

function keyOf(file: string, faults: string[]): KeyObject | undefined {
  const parameter = 'sslkey (or PGSSLKEY)';
  const content = readable(parameter, file, faults);
  if (content === undefined) return undefined;
  if (isOpenToOthers(file)) {
    faults.push(`must name a file in ${parameter} that others cannot read: of mode 0600, or 0640 where it is root's`);
  }
  try {
    return createPrivateKey(content);
  } catch {
    faults.push(`must name a private key in PEM form, without a passphrase, in ${parameter}`);
    return undefined;
  }
}

/** The rule of libpq (PostgreSQL, 34.19.2). Windows has no such modes. */
function isOpenToOthers(file: string): boolean {
  if (process.platform === 'win32') return false;
  const { mode, uid } = statSync(file);
  return (mode & (uid === 0 ? 0o037 : 0o077)) !== 0;
}

function readable(parameter: string, file: string, faults: string[]): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    faults.push(`must name a file that can be read in ${parameter}`);
    return undefined;
  }
}
