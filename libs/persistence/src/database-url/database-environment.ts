import {
  completeDatabaseUrl,
  InvalidDatabaseUrlError,
  isPrivate,
  readDatabaseUrl,
  UNKNOWN_TLS_VARIABLES,
} from './database-url.js';

const NOT_PRIVATE =
  'must ask for TLS when NODE_ENV is production and its host is not this machine, as by ?sslmode=verify-full&sslrootcert=<file>. Where the network to it carries nobody else, DATABASE_ALLOW_UNENCRYPTED=true says so';

/**
 * Adds the TLS variables of libpq to the addresses of the databases that do not have these parameters.
 *
 * @param variables changed in place
 * @returns the faults of the addresses, as sentences without secrets
 */
export function completeDatabaseUrls(variables: NodeJS.ProcessEnv): string[] {
  const { DATABASE_URL: primary, DATABASE_REPLICA_URLS: replicas } = variables;
  const faults: string[] = [];
  const complete = (name: string, text: string) => {
    const url = completeDatabaseUrl(text.trim(), variables);
    faults.push(...faultsOf(url, variables).map((fault) => `${name} ${fault}`));
    return url;
  };
  if (primary !== undefined) variables['DATABASE_URL'] = complete('DATABASE_URL', primary);
  if (replicas !== undefined) {
    const urls = replicas.split(',');
    const name = (index: number) => (urls.length === 1 ? '' : `, address ${index + 1},`);
    variables['DATABASE_REPLICA_URLS'] = urls
      .map((url, index) => complete(`DATABASE_REPLICA_URLS${name(index)}`, url))
      .join(',');
  }
  if (primary === undefined && replicas === undefined) return faults;
  for (const name of Object.keys(variables).filter((each) => UNKNOWN_TLS_VARIABLES.test(each))) {
    faults.push(`${name} must be unset: the service does not know it, and would connect without what it demands`);
  }
  return faults;
}

function faultsOf(url: string, variables: NodeJS.ProcessEnv): readonly string[] {
  try {
    const { NODE_ENV, DATABASE_ALLOW_UNENCRYPTED } = variables;
    const allowed = NODE_ENV !== 'production' || DATABASE_ALLOW_UNENCRYPTED === 'true';
    return isPrivate(readDatabaseUrl(url)) || allowed ? [] : [NOT_PRIVATE];
  } catch (error) {
    if (error instanceof InvalidDatabaseUrlError) return error.faults;
    throw error;
  }
}
