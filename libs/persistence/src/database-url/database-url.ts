import { isIP } from 'node:net';
import { parametersOf, readTls, TLS_PARAMETERS, TLS_VARIABLES, type TlsSettings } from './tls.js';

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
    throw new InvalidDatabaseUrlError(['must write % as %25, unless two hexadecimal digits follow it']);
  }
}

/** Variables of libpq that demand more security, and that this service does not support. */
const UNKNOWN_TLS_VARIABLES = /^PG(?:SSL(?!(?:MODE|ROOTCERT|CERT|KEY)$)|REQUIRE|CHANNELBINDING)/;

const NOT_PRIVATE =
  'must ask for TLS when NODE_ENV is production and its host is not this machine, as by ?sslmode=verify-full&sslrootcert=<file>. If nobody else can use the network to it, set DATABASE_ALLOW_UNENCRYPTED=true';

/**
 * Adds the TLS variables of libpq, in place, to the addresses of the databases that do not have these parameters.
 *
 * @returns the faults of the addresses, as sentences without secrets
 */
export function completeDatabaseUrls(variables: NodeJS.ProcessEnv): string[] {
  const { DATABASE_URL: primary, DATABASE_REPLICA_URLS: replicas } = variables;
  const faults: string[] = [];
  const complete = (name: string, text: string) => {
    const url = completeDatabaseUrl(text.trim(), variables);
    faults.push(...databaseUrlFaults(url, variables).map((fault) => `${name} ${fault}`));
    return url;
  };
  if (primary !== undefined) variables['DATABASE_URL'] = complete('DATABASE_URL', primary);
  if (replicas !== undefined) {
    const urls = replicas.split(',');
    const name = (index: number) => (urls.length === 1 ? '' : `, address ${index + 1},`);
    const completed = urls.map((url, index) => complete(`DATABASE_REPLICA_URLS${name(index)}`, url));
    variables['DATABASE_REPLICA_URLS'] = completed.join(',');
  }
  if (primary === undefined && replicas === undefined) return faults;
  for (const name of Object.keys(variables).filter((each) => UNKNOWN_TLS_VARIABLES.test(each))) {
    faults.push(`${name} must be unset: the service does not know it, and would connect without what it demands`);
  }
  return faults;
}

/**
 * Adds the TLS parameters of the environment that the address does not have itself (PostgreSQL, 34.15). A text that is no
 * address is returned unchanged.
 */
export function completeDatabaseUrl(text: string, variables: NodeJS.ProcessEnv): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  const missing = TLS_PARAMETERS.filter((name) => !parametersOf(url).has(name));
  const added = missing.flatMap((name) => {
    const value = variables[TLS_VARIABLES[name]];
    return value === undefined ? [] : `${name}=${encodeURIComponent(value)}`;
  });
  if (added.length === 0) return text;
  return `${text}${text.includes('?') ? '&' : '?'}${added.join('&')}`;
}

/** The reasons why the service does not use the address. Each completes a sentence that begins with the name of the setting. */
function databaseUrlFaults(url: string, variables: NodeJS.ProcessEnv): readonly string[] {
  try {
    const { NODE_ENV, DATABASE_ALLOW_UNENCRYPTED } = variables;
    const allowed = NODE_ENV !== 'production' || DATABASE_ALLOW_UNENCRYPTED === 'true';
    return isPrivate(readDatabaseUrl(url)) || allowed ? [] : [NOT_PRIVATE];
  } catch (error) {
    if (error instanceof InvalidDatabaseUrlError) return error.faults;
    throw error;
  }
}
