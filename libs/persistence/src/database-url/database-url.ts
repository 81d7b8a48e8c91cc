import { isIP } from 'node:net';
import { getCACertificates } from 'node:tls';
import { parse, toClientConfig } from 'pg-connection-string';
import type { ClientConfig } from 'pg';

/** The options of `pg` for an address. */
export interface ServerAddress extends ClientConfig {
  /** A host name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly database: string;
}

/** The address is invalid. The fault completes a sentence that begins with the name of the setting. */
export class InvalidDatabaseUrlError extends Error {
  constructor(readonly fault: string) {
    super(`The address of the database ${fault}`);
  }
}

const EXAMPLE = 'postgresql://user:password@host:5432/name';

/**
 * Reads `postgresql://user:password@host:port/name?sslmode=…` as libpq does: TLS by `sslmode`, `sslrootcert`, `sslcert` and
 * `sslkey`, and other parameters that `pg` knows. The certificate files are read here.
 *
 * @throws InvalidDatabaseUrlError without secrets
 */
export function readDatabaseUrl(text: string): ServerAddress {
  if (!/^postgres(?:ql)?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new InvalidDatabaseUrlError(`must be an address such as ${EXAMPLE}`);
  }
  const url = new URL(text);
  // If a password contains one of these, its rest is parsed as host or database, and a message could show it.
  if (url.pathname.includes('@') || url.hash !== '' || url.pathname.indexOf('/', 1) > 0) {
    throw new InvalidDatabaseUrlError('must write @, /, ? and # as %40, %2F, %3F and %23 inside its parts');
  }
  const authorities = url.searchParams.get('sslrootcert') === 'system' ? trustSystem(url) : undefined;
  const { host = '', database = '', ssl, ...options } = read(url);
  if (host === '' || host.includes(',')) throw new InvalidDatabaseUrlError(`must name one host, as in ${EXAMPLE}`);
  if (database === '') {
    throw new InvalidDatabaseUrlError(`must end in the name of the database, as in ${EXAMPLE}`);
  }
  return {
    ...options,
    host,
    database,
    // A Unix socket has no TLS, as in libpq. Without a mode `pg` itself looks for PGSSLMODE.
    ...(isSocket(host)
      ? { ssl: false }
      : ssl !== undefined && { ssl: authorities === undefined ? ssl : { ca: authorities } }),
    enableChannelBinding: !['disable', null].includes(url.searchParams.get('channel_binding')),
  };
}

/**
 * The value `system` of libpq, which `pg-connection-string` takes for a file. It implies `verify-full`.
 *
 * @returns the authorities of the operating system, or those of Node if there are none, as in slim images
 */
function trustSystem({ searchParams }: URL): string[] {
  searchParams.delete('sslrootcert');
  if ((searchParams.get('sslmode') ?? 'verify-full') !== 'verify-full') {
    throw new InvalidDatabaseUrlError('must have sslmode=verify-full with sslrootcert=system');
  }
  searchParams.set('sslmode', 'verify-full');
  const certificates = getCACertificates('system');
  return certificates.length > 0 ? certificates : getCACertificates('default');
}

function read(url: URL): ClientConfig {
  try {
    return toClientConfig(parse(url.toString(), { useLibpqCompat: true }));
  } catch (error) {
    // A file that cannot be read, or parameters that contradict each other.
    throw new InvalidDatabaseUrlError(`cannot be used: ${(error as Error).message}`);
  }
}

/** Whether others can read what is sent to this address: it leads to another machine, and does not ask for TLS. */
export function isReadableByOthers(text: string): boolean {
  const { host, ssl } = readDatabaseUrl(text);
  const { searchParams } = new URL(text);
  const isOptional = ['allow', 'prefer'].includes(searchParams.get('sslmode') ?? '');
  return !isSocket(host) && !isLoopback(host) && (isOptional || ssl === undefined || ssl === false);
}

function isSocket(host: string): boolean {
  return host.startsWith('/');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
