import { existsSync, readFileSync, statSync } from 'node:fs';
import {
  checkServerIdentity,
  createSecureContext,
  getCACertificates,
  type ConnectionOptions,
  type SecureContext,
  type SecureContextOptions,
} from 'node:tls';

/** The TLS parameters of an address, and the environment variables that libpq reads instead of them. */
export const TLS_VARIABLES = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
};

/** The name of a TLS parameter of an address. */
type TlsParameter = keyof typeof TLS_VARIABLES;

/** The TLS parameters that an address may have. */
export const TLS_PARAMETERS = Object.keys(TLS_VARIABLES) as TlsParameter[];

/** The modes of libpq with TLS (PostgreSQL, table 34.1). */
const SSL_MODES = ['require', 'verify-ca', 'verify-full'] as const;

type SslMode = (typeof SSL_MODES)[number];

/** The modes of libpq that use TLS only if the server agrees. An attacker on the network can pose as the server. */
const OPPORTUNISTIC: readonly string[] = ['allow', 'prefer'];

/** The encryption of a connection, in libpq's terms. */
export interface TlsSettings {
  readonly mode: SslMode;
  /** The file of the trusted certificate authorities, or `system` for those of the operating system. */
  readonly rootCertificate: string | undefined;
  /** The files of the client certificate and of its private key. */
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** In these parameters `+` is a plus sign, and not a blank as in HTML forms. */
export function parametersOf({ search }: URL): URLSearchParams {
  return new URLSearchParams(search.replaceAll('+', '%2B'));
}

/** The settings of these parameters; `undefined`: without TLS. @param faults what is wrong with them is added */
export function readTls(parameters: URLSearchParams, faults: string[]): TlsSettings | undefined {
  refuseOthers([...parameters.keys()], faults);
  const value = (name: TlsParameter) => parameters.get(name) ?? undefined;
  const [rootCertificate, certificate, key] = [value('sslrootcert'), value('sslcert'), value('sslkey')];
  // With the certificates of the system libpq uses and requires `verify-full`.
  const mode = value('sslmode') ?? (rootCertificate === 'system' ? 'verify-full' : undefined);
  if (mode === 'disable') return undefined;
  if (mode === undefined) {
    const [without] = TLS_PARAMETERS.filter((name) => parameters.has(name));
    if (without !== undefined) {
      faults.push(`must say which sslmode (or PGSSLMODE) its ${without} is for: without one there is no TLS`);
    }
    return undefined;
  }
  if (!isSslMode(mode)) {
    faults.push(
      OPPORTUNISTIC.includes(mode)
        ? `must have require or verify-full for its sslmode (or PGSSLMODE), or disable: ${mode} guarantees nothing, because an attacker on the network can turn TLS off`
        : `must have ${listed(['disable', ...SSL_MODES], 'or')} for its sslmode (or PGSSLMODE)`,
    );
    return undefined;
  }
  const tls = { mode, rootCertificate, certificate, key };
  faults.push(...tlsFaults(tls));
  return tls;
}

function refuseOthers(names: readonly string[], faults: string[]): void {
  for (const name of new Set(names)) {
    if (!Object.hasOwn(TLS_VARIABLES, name)) {
      const shown = /^[a-z0-9_]{1,63}$/i.test(name) ? `the parameter "${name}"` : 'other parameters';
      faults.push(`must not have ${shown}: ${listed(TLS_PARAMETERS, 'and')} are those that it may have`);
    } else if (names.indexOf(name) !== names.lastIndexOf(name)) {
      faults.push(`must have the parameter ${name} once`);
    }
  }
}

function isSslMode(text: string): text is SslMode {
  return (SSL_MODES as readonly string[]).includes(text);
}

function listed(words: readonly string[], conjunction: string): string {
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}

/**
 * The options of `tls.connect` for valid settings. The files are read for every connection, as libpq does, so that renewed
 * certificates need no restart.
 *
 * @param host the name or address that the certificate must have with `verify-full`
 */
export function tlsOptions(settings: TlsSettings, host: string): ConnectionOptions {
  const currentContext = renewedContext(settings);
  const options = {
    rejectUnauthorized: settings.rootCertificate !== undefined,
    // libpq checks the chain in every mode with a root certificate, and the name only with `verify-full`.
    // `pg` 8.23.0 passes no host if the host is an address, and Node would then check for `localhost`. So the host is bound here.
    checkServerIdentity: ((_name, certificate) =>
      settings.mode === 'verify-full'
        ? checkServerIdentity(host, certificate)
        : undefined) as typeof checkServerIdentity,
    // `pg` copies own properties for each connection, and so calls the getter.
    get secureContext(): SecureContext {
      return currentContext();
    },
  };
  // MikroORM copies options, and would replace the getter by its value. It calls `clone` if there is one.
  return Object.defineProperty(options, 'clone', { value: () => options });
}

/**
 * Reads the files at each call. If they cannot be used at that moment, as in the middle of a renewal, their last valid contents are
 * used. Errors are thrown here: while a connection is made, no code would catch them.
 */
function renewedContext(settings: TlsSettings): () => SecureContext {
  const first = readTlsFiles(settings);
  let files = JSON.stringify(first);
  let context = createSecureContext(first);
  return () => {
    try {
      const contents = readTlsFiles(settings);
      const read = JSON.stringify(contents);
      if (read !== files && tlsFaults(settings).length === 0) {
        context = createSecureContext(contents);
        files = read;
      }
    } catch {
      // The files are being replaced.
    }
    return context;
  };
}

/** The reasons why the settings cannot be used. Each completes a sentence that begins with the name of the setting. */
function tlsFaults(settings: TlsSettings): string[] {
  const { mode, rootCertificate, certificate, key } = settings;
  const faults: string[] = [];
  if (mode.startsWith('verify') && rootCertificate === undefined) {
    faults.push(`must name the authorities to trust in sslrootcert (or PGSSLROOTCERT) for sslmode=${mode}`);
  }
  if (rootCertificate === 'system' && mode !== 'verify-full') {
    faults.push(
      'must have verify-full for its sslmode with sslrootcert=system, because any website can get a certificate of these authorities',
    );
  }
  if ((certificate === undefined) !== (key === undefined))
    faults.push('must have both of sslcert and sslkey, or neither');
  const files = [rootCertificate, certificate, key].filter(
    (file): file is string => file !== undefined && file !== 'system',
  );
  const missing = files.filter((file) => !existsSync(file));
  faults.push(
    ...missing.map(
      (file) => `must name files that exist in sslrootcert, sslcert and sslkey (or PGSSL…): ${file} does not`,
    ),
  );
  if (missing.length > 0) return faults;
  try {
    if (key !== undefined && isOpenToOthers(key))
      faults.push(
        "must name a file in sslkey (or PGSSLKEY) that others cannot read: of mode 0600, or 0640 where it is root's",
      );
    createSecureContext(readTlsFiles(settings));
  } catch (error) {
    faults.push(
      `must name files in PEM form in sslrootcert, sslcert and sslkey (or PGSSL…), and the key of its sslcert without a passphrase: ${(error as Error).message}`,
    );
  }
  return faults;
}

/** The contents of the files of valid settings. @throws Error if a file cannot be read, or contains no certificate */
function readTlsFiles({ rootCertificate, certificate, key }: TlsSettings): SecureContextOptions {
  const ca = rootCertificate === 'system' ? trustedBySystem() : read(rootCertificate);
  // Node accepts a file without a certificate as an empty list of authorities.
  if (typeof ca === 'string' && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error('sslrootcert has no certificate');
  return { ca, cert: read(certificate), key: read(key) };
}

/** The authorities of the operating system, or those of Node if there are none, as in slim images. */
function trustedBySystem(): string[] {
  const certificates = getCACertificates('system');
  return certificates.length > 0 ? certificates : getCACertificates('default');
}

function read(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}

/** The rule of libpq (PostgreSQL, 34.19.2). Windows has no such modes. */
function isOpenToOthers(file: string): boolean {
  if (process.platform === 'win32') return false;
  const { mode, uid } = statSync(file);
  return (mode & (uid === 0 ? 0o037 : 0o077)) !== 0;
}
