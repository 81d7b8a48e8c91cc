import { certificatesOf } from './tls-certificates.js';
import { keyOf } from './tls-key.js';
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
