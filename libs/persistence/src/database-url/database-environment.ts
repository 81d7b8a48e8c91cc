import { completeDatabaseUrl } from './complete-database-url.js';
import { databaseUrlFaults } from './database-url-faults.js';
import { UNKNOWN_TLS_VARIABLES } from './tls-parameters.js';

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
