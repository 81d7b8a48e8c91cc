import { isIP } from 'node:net';
import { tlsFaults } from './tls-faults.js';
import { SSL_MODES, type SslMode, type TlsSettings } from './tls-settings.js';

/** The parts of the address of a database. */
export interface DatabaseUrl {
  /** A host name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  /** Empty if the address has none; so are `user` and `password`. */
  readonly port: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** `undefined`: without TLS. */
  readonly tls: TlsSettings | undefined;
}

/** The address is invalid. Each fault completes a sentence that begins with the name of the setting. */
export class InvalidDatabaseUrlError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The address of the database ${faults.join('; and it ')}`);
  }
}

/** The parameters of an address, and the environment variables that libpq reads instead of them. */
const PARAMETERS = { sslmode: 'PGSSLMODE', sslrootcert: 'PGSSLROOTCERT', sslcert: 'PGSSLCERT', sslkey: 'PGSSLKEY' };

type Parameter = keyof typeof PARAMETERS;

const NAMES = Object.keys(PARAMETERS) as Parameter[];

/** Variables of libpq that demand more security, and that this service does not support. */
export const UNKNOWN_TLS_VARIABLES = /^PG(?:SSL(?!(?:MODE|ROOTCERT|CERT|KEY)$)|REQUIRE|CHANNELBINDING)/;

const EXAMPLE = 'postgresql://user:password@host:5432/name';

/**
 * Adds the TLS parameters of the environment that the address does not have itself (PostgreSQL, 34.15). A text that is no
 * address is returned unchanged.
 */
export function completeDatabaseUrl(text: string, variables: NodeJS.ProcessEnv): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  const missing = NAMES.filter((name) => !parametersOf(url).has(name));
  const added = missing.flatMap((name) => {
    const value = variables[PARAMETERS[name]];
    return value === undefined ? [] : `${name}=${encodeURIComponent(value)}`;
  });
  if (added.length === 0) return text;
  return `${text}${text.includes('?') ? '&' : '?'}${added.join('&')}`;
}

/**
 * Reads `postgresql://user:password@host:port/name?sslmode=…`. TLS parameters are the only ones; there are settings for the rest.
 * An unknown parameter is a fault, because a misspelt parameter would otherwise have no effect.
 *
 * @throws InvalidDatabaseUrlError with all faults, also of the TLS files, and without secrets
 */
export function readDatabaseUrl(text: string): DatabaseUrl {
  if (!/^postgres(?:ql)?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new InvalidDatabaseUrlError([`must be an address such as ${EXAMPLE}`]);
  }
  const url = new URL(text);
  // If a password contains one of these, its rest is parsed as host, database or parameter, and a message could show it.
  if (/[@#]/.test(url.pathname + url.search + url.hash) || url.pathname.indexOf('/', 1) > 0) {
    throw new InvalidDatabaseUrlError(['must write @, /, ? and # as %40, %2F, %3F and %23 inside its parts']);
  }
  const [host, user, password, database] = decode([url.hostname, url.username, url.password, url.pathname.slice(1)]);
  decode([url.search]);
  const faults: string[] = [];
  if (host === '' || host.includes(',')) faults.push(`must name one host, as in ${EXAMPLE}`);
  if (database === '') faults.push(`must end in the name of the database, as in ${EXAMPLE}`);
  const tls = readTls(parametersOf(url), faults);
  if (faults.length > 0) throw new InvalidDatabaseUrlError(faults);
  const address = { host: host.replace(/^\[(.*)\]$/, '$1'), port: url.port, user, password, database };
  // A Unix socket needs no TLS, as in libpq, because it uses no network.
  return { ...address, tls: isSocket(address.host) ? undefined : tls };
}

/** Whether no attacker in the network can read or change the data: a local connection, or one that requires TLS. */
export function isPrivate({ host, tls }: DatabaseUrl): boolean {
  return isSocket(host) || isLoopback(host) || (tls !== undefined && tls.mode !== 'allow' && tls.mode !== 'prefer');
}

function isSocket(host: string): boolean {
  return host.startsWith('/');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function readTls(parameters: URLSearchParams, faults: string[]): TlsSettings | undefined {
  const names = [...parameters.keys()];
  for (const name of new Set(names)) {
    if (!Object.hasOwn(PARAMETERS, name)) {
      const shown = /^[a-z0-9_]{1,63}$/i.test(name) ? `the parameter "${name}"` : 'other parameters';
      faults.push(`must not have ${shown}: ${listed(NAMES, 'and')} are those that it may have`);
    } else if (names.indexOf(name) !== names.lastIndexOf(name)) {
      faults.push(`must have the parameter ${name} once`);
    }
  }
  const value = (name: Parameter) => parameters.get(name) ?? undefined;
  const [rootCertificate, certificate, key] = [value('sslrootcert'), value('sslcert'), value('sslkey')];
  // With the certificates of the system libpq uses and requires `verify-full`.
  const mode = value('sslmode') ?? (rootCertificate === 'system' ? 'verify-full' : undefined);
  if (mode === 'disable') return undefined;
  if (mode === undefined) {
    const [without] = NAMES.filter((name) => parameters.has(name));
    if (without !== undefined) {
      faults.push(`must say which sslmode (or PGSSLMODE) its ${without} is for: without one there is no TLS`);
    }
    return undefined;
  }
  if (!isSslMode(mode)) {
    faults.push(`must have ${listed(['disable', ...SSL_MODES], 'or')} for its sslmode (or PGSSLMODE)`);
    return undefined;
  }
  const tls = { mode, rootCertificate, certificate, key };
  faults.push(...tlsFaults(tls));
  return tls;
}

/** In these parameters `+` is a plus sign, and not a blank as in HTML forms. */
function parametersOf({ search }: URL): URLSearchParams {
  return new URLSearchParams(search.replaceAll('+', '%2B'));
}

function isSslMode(text: string): text is SslMode {
  return (SSL_MODES as readonly string[]).includes(text);
}

function listed(words: readonly string[], conjunction: string): string {
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}

/** @throws InvalidDatabaseUrlError */
function decode<Parts extends string[]>(parts: [...Parts]): Parts {
  try {
    return parts.map(decodeURIComponent) as Parts;
  } catch {
    throw new InvalidDatabaseUrlError(['must write % as %25: two hexadecimal digits follow any other']);
  }
}
