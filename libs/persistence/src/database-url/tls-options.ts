import { checkServerIdentity, createSecureContext, type ConnectionOptions, type SecureContext } from 'node:tls';
import { readTlsFiles, tlsFaults, type TlsSettings } from './tls-settings.js';

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
    const contents = readTlsFiles(this.settings);
    const files = JSON.stringify(contents);
    if (this.context !== undefined && files === this.files) return this.context;
    if (tlsFaults(this.settings).length > 0) throw new Error('The files of TLS are not in order');
    this.context = createSecureContext(contents);
    this.files = files;
    return this.context;
  }
}
