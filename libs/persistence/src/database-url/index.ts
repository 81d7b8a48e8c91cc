import { isIP } from 'node:net';
import { parse, toClientConfig } from 'pg-connection-string';
import type { ClientConfig } from 'pg';

/** The options of `pg` for an address. The host is a host name, an IP address, or the folder of a Unix socket. */
export interface ServerAddress extends ClientConfig {
  readonly host: string;
  readonly database: string;
}

/** `fault` completes a sentence that begins with the name of the setting. */
export class InvalidDatabaseUrlError extends Error {
  constructor(readonly fault: string) {
    super(`The address of the database ${fault}`);
  }
}

/** The parameters that libpq (PostgreSQL, section 34.1.2) and `pg` know. Not all of them have an effect. */
const PARAMETERS = new Set(
  `application_name channel_binding client_encoding connect_timeout dbname fallback_application_name gssdelegation gssencmode gsslib
  host hostaddr keepalives keepalives_count keepalives_idle keepalives_interval krbsrvname load_balance_hosts
  max_protocol_version min_protocol_version oauth_client_id oauth_client_secret oauth_issuer oauth_scope options passfile password
  port replication require_auth requirepeer requiressl scram_client_key scram_server_key service servicefile ssl
  ssl_max_protocol_version ssl_min_protocol_version sslcert sslcertmode sslcompression sslcrl sslcrldir sslkey sslkeylogfile
  sslmode sslnegotiation sslpassword sslrootcert sslsni target_session_attrs tcp_user_timeout user
  binary encoding enableChannelBinding idle_in_transaction_session_timeout keepAlive keepAliveInitialDelayMillis lock_timeout
  query_timeout statement_timeout uselibpqcompat`.split(/\s+/),
);

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

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
  const unknown = [...url.searchParams.keys()].filter((name) => !PARAMETERS.has(name));
  if (unknown.length > 0) {
    throw new InvalidDatabaseUrlError(
      `has parameters that neither libpq nor pg knows: ${unknown.join(', ')} (for a schema: alter role … set search_path = …)`,
    );
  }
  if (!url.searchParams.getAll('sslmode').every((mode) => SSL_MODES.includes(mode))) {
    throw new InvalidDatabaseUrlError(`must have one of libpq as its sslmode: ${SSL_MODES.join(', ')}`);
  }
  // It is read so anyway, and `parse` does not take both the parameter and its option.
  url.searchParams.delete('uselibpqcompat', 'true');
  const { host = '', database = '', ssl, ...options } = read(url.href);
  if (host === '' || host.includes(',')) throw new InvalidDatabaseUrlError(`must name one host, as in ${EXAMPLE}`);
  if (database === '') throw new InvalidDatabaseUrlError(`must end in the name of the database, as in ${EXAMPLE}`);
  // A Unix socket has no TLS, as in libpq. Without a mode `pg` itself looks for PGSSLMODE.
  const tls = isSocket(host) ? { ssl: false } : ssl !== undefined && { ssl };
  const enableChannelBinding = !['disable', null].includes(url.searchParams.get('channel_binding'));
  return { ...options, host, database, ...tls, enableChannelBinding };
}

function read(href: string): ClientConfig {
  try {
    return toClientConfig(parse(href, { useLibpqCompat: true }));
  } catch (error) {
    // A file that cannot be read, or parameters that contradict each other.
    throw new InvalidDatabaseUrlError(`cannot be used: ${(error as Error).message}`);
  }
}

/** Whether others can read what is sent to this address: it leads to another machine, and does not ask for TLS. */
export function isReadableByOthers(text: string): boolean {
  const { host, ssl } = readDatabaseUrl(text);
  const isLoopback = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  if (isSocket(host) || isLoopback) return false;
  // `pg` takes the mode of the environment then.
  if (ssl === undefined) return !/^(?:require|verify-ca|verify-full)$/.test(process.env['PGSSLMODE'] ?? '');
  return !ssl || ['allow', 'prefer'].includes(new URL(text).searchParams.get('sslmode') ?? '');
}

function isSocket(host: string): boolean {
  return host.startsWith('/');
}
