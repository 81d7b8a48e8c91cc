import { isIP } from 'node:net';
import { tlsFaults, SSL_MODES, type SslMode, type TlsSettings } from './database-tls.js';

/** What the address of a database says. */
export interface DatabaseUrl {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  /** Empty where the address names none, as the next two. */
  readonly port: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** `undefined`: in clear, and nothing else. */
  readonly tls: TlsSettings | undefined;
}

/** The address can't be used. Each fault is the rest of a sentence that begins with the name of the setting. */
export class InvalidDatabaseUrlError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The address of the database ${faults.join('; and it ')}`);
  }
}

/** The parameters of an address, and the environment variables that libpq reads in their place. */
const PARAMETERS = { sslmode: 'PGSSLMODE', sslrootcert: 'PGSSLROOTCERT', sslcert: 'PGSSLCERT', sslkey: 'PGSSLKEY' };

type Parameter = keyof typeof PARAMETERS;

const NAMES = Object.keys(PARAMETERS) as Parameter[];

/** Variables by which libpq is told to demand more of a connection. Here they would be without effect. */
export const UNKNOWN_TLS_VARIABLES = /^PG(?:SSL(?!(?:MODE|ROOTCERT|CERT|KEY)$)|REQUIRE|CHANNELBINDING)/;

const EXAMPLE = 'postgresql://user:password@host:5432/name';

/**
 * The address with what the environment says about TLS, where it is silent itself (PostgreSQL, 34.15). One that is no
 * address stays as it is.
 */
export function completeDatabaseUrl(text: string, variables: NodeJS.ProcessEnv): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  const silent = NAMES.filter((name) => !parametersOf(url).has(name));
  const added = silent.flatMap((name) => {
    const value = variables[PARAMETERS[name]];
    return value === undefined ? [] : `${name}=${encodeURIComponent(value)}`;
  });
  if (added.length === 0) return text;
  return `${text}${text.includes('?') ? '&' : '?'}${added.join('&')}`;
}

/**
 * Reads `postgresql://user:password@host:port/name?sslmode=…`. What an address may say beside TLS has settings of its own;
 * so a parameter that is not known is a fault, as one that is misspelt would be without effect otherwise.
 *
 * @throws InvalidDatabaseUrlError with every fault, and no secret; those of the files of TLS are among them
 */
export function readDatabaseUrl(text: string): DatabaseUrl {
  if (!/^postgres(?:ql)?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new InvalidDatabaseUrlError([`must be an address such as ${EXAMPLE}`]);
  }
  const url = new URL(text);
  // Behind one of these in a password, the rest of it would pass for the host, the database or a parameter, and be told.
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
  // As libpq has it: a Unix socket leads over no network.
  return { ...address, tls: isSocket(address.host) ? undefined : tls };
}

/** Whether nobody on a network can read along, or change what is said: on this machine, or where TLS is sure. */
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
      const told = /^[a-z0-9_]{1,63}$/i.test(name) ? `the parameter "${name}"` : 'other parameters';
      faults.push(`must not have ${told}: ${listed(NAMES, 'and')} are those that it may have`);
    } else if (names.indexOf(name) !== names.lastIndexOf(name)) {
      faults.push(`must have the parameter ${name} once`);
    }
  }
  const value = (name: Parameter) => parameters.get(name) ?? undefined;
  const [rootCertificate, certificate, key] = [value('sslrootcert'), value('sslcert'), value('sslkey')];
  // With the system's certificates libpq asks for no less, and is content with no less.
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

/** A plus is a plus here, and no blank as in a form. */
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
