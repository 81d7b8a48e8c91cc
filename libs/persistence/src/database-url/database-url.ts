import { isIP } from 'node:net';
import { parametersOf, readTls, type TlsSettings } from './tls-settings.js';

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

const EXAMPLE = 'postgresql://user:password@host:5432/name';

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
  return isSocket(host) || isLoopback(host) || tls !== undefined;
}

function isSocket(host: string): boolean {
  return host.startsWith('/');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** @throws InvalidDatabaseUrlError */
function decode<Parts extends string[]>(parts: [...Parts]): Parts {
  try {
    return parts.map(decodeURIComponent) as Parts;
  } catch {
    throw new InvalidDatabaseUrlError(['must write % as %25: two hexadecimal digits follow any other']);
  }
}
