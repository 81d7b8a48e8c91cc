import { InvalidDatabaseUrlError, isPrivate, readDatabaseUrl } from './database-url.js';
import { parametersOf, TLS_PARAMETERS, TLS_VARIABLES } from './tls-settings.js';

/** Variables of libpq that demand more security, and that this service does not support. */
const UNKNOWN_TLS_VARIABLES = /^PG(?:SSL(?!(?:MODE|ROOTCERT|CERT|KEY)$)|REQUIRE|CHANNELBINDING)/;

const NOT_PRIVATE =
  'must ask for TLS when NODE_ENV is production and its host is not this machine, as by ?sslmode=verify-full&sslrootcert=<file>. Where the network to it carries nobody else, DATABASE_ALLOW_UNENCRYPTED=true says so';

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
