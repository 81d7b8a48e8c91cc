import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import {
  checkServerIdentity,
  createSecureContext,
  getCACertificates,
  type ConnectionOptions,
  type SecureContext,
} from 'node:tls';

/** The modes of libpq that can use TLS (PostgreSQL, table 34.1). */
export const SSL_MODES = ['allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

export type SslMode = (typeof SSL_MODES)[number];

/** The encryption of a connection, in libpq's terms. */
export interface TlsSettings {
  readonly mode: SslMode;
  /** The file of the trusted certificate authorities, or `system` for those of the operating system. */
  readonly rootCertificate: string | undefined;
  /** The files of the client certificate and of its private key. */
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

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

/**
 * The options of `tls.connect` for valid settings. The files are read for every connection, as libpq does, so that renewed
 * certificates need no restart. If the files cannot be used at that moment, as in the middle of a renewal, their last valid
 * contents are used.
 *
 * @param host the name or address that the certificate must have with `verify-full`
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
    // libpq checks the chain in every mode with a root certificate, and the name only with `verify-full`.
    // `pg` 8.23.0 passes no host if the host is an address, and Node would then check for `localhost`. So the host is bound here.
    this.checkServerIdentity = (_name, certificate) =>
      settings.mode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined;
    const contexts = new SecureContexts(settings);
    // Errors are thrown here: while a connection is made, no code would catch them.
    contexts.current();
    // An own property, because `pg` copies own properties for each connection.
    Object.defineProperty(this, 'secureContext', { enumerable: true, get: () => contexts.current() });
  }

  /** MikroORM copies options, and would replace the getter by its value. It calls `clone` if there is one. */
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
    // Node accepts a file without a certificate as an empty list of authorities.
    if (tlsFaults(this.settings).length > 0) throw new Error('The files of TLS are not in order');
    this.context = createSecureContext(contents);
    this.files = files;
    return this.context;
  }
}

/** The authorities of the operating system, or those of Node if there are none, as in slim images. */
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
