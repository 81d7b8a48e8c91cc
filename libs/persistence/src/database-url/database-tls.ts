import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import {
  checkServerIdentity,
  createSecureContext,
  getCACertificates,
  type ConnectionOptions,
  type SecureContext,
} from 'node:tls';

/** The modes of libpq that may come to TLS (PostgreSQL, table 34.1). */
export const SSL_MODES = ['allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

export type SslMode = (typeof SSL_MODES)[number];

/** How a connection is encrypted, in libpq's words. */
export interface TlsSettings {
  readonly mode: SslMode;
  /** The file of the authorities that are trusted, or `system`: those that the operating system trusts. */
  readonly rootCertificate: string | undefined;
  /** The files of the certificate with which this side proves who it is, and of its key. */
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** Why the settings can't be used: the rest of sentences that begin with the name of the setting. */
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

/**
 * What `tls.connect` needs for the settings, whose files were found to be in order. They are read again for every
 * connection, as libpq does, so that renewed ones need no restart. Where they cannot be used at that moment, what was read
 * before goes on to hold: half a renewal shuts nobody out.
 *
 * @param host whose name or address the certificate must have with `verify-full`
 */
export function tlsOptions(settings: TlsSettings, host: string): ConnectionOptions {
  return new RenewedTlsOptions(settings, host);
}

class RenewedTlsOptions implements ConnectionOptions {
  readonly rejectUnauthorized: boolean;
  readonly checkServerIdentity: typeof checkServerIdentity;
  declare readonly secureContext: SecureContext;

  constructor(settings: TlsSettings, host: string) {
    this.rejectUnauthorized = settings.rootCertificate !== undefined;
    // libpq looks at the chain in every mode where it has an authority to look for, and at the name in one mode alone.
    // The host is not left to `pg` to tell: 8.23.0 tells none where it is an address, and Node then looks for `localhost`.
    this.checkServerIdentity = (_name, certificate) =>
      settings.mode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined;
    const contexts = new SecureContexts(settings);
    // Here it may throw; while a connection is made nobody would catch it.
    contexts.current();
    // An own property: `pg` copies those, one connection after the other.
    Object.defineProperty(this, 'secureContext', { enumerable: true, get: () => contexts.current() });
  }

  /** MikroORM copies options, and would make a value of the accessor; it asks those that know how to be copied. */
  clone(): this {
    return this;
  }
}

class SecureContexts {
  private files = '';
  private context: SecureContext | undefined;

  constructor(private readonly settings: TlsSettings) {}

  current(): SecureContext {
    try {
      return this.renewed();
    } catch (error) {
      if (this.context === undefined) throw error;
      return this.context;
    }
  }

  private renewed(): SecureContext {
    const { rootCertificate, certificate, key } = this.settings;
    const ca = rootCertificate === 'system' ? trustedBySystem() : read(rootCertificate);
    const contents = { ca, cert: read(certificate), key: read(key) };
    const files = JSON.stringify(contents);
    if (this.context !== undefined && files === this.files) return this.context;
    // Node would take what holds no certificate for no authority at all.
    if (tlsFaults(this.settings).length > 0) throw new Error('The files of TLS are not in order');
    this.context = createSecureContext(contents);
    this.files = files;
    return this.context;
  }
}

/** Node's own where the operating system has none, as in slim images. */
function trustedBySystem(): string[] {
  const certificates = getCACertificates('system');
  return certificates.length > 0 ? certificates : getCACertificates('default');
}

function read(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readFileSync(file, 'utf8');
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
    // As one that holds none.
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

/** By libpq's rule (PostgreSQL, 34.19.2). Windows has no such modes. */
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
