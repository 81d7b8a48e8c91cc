import { isPrivate, readDatabaseUrl } from './database-url.js';
import { InvalidDatabaseUrlError } from './invalid-database-url.error.js';

const NOT_PRIVATE =
  'must ask for TLS when NODE_ENV is production and its host is not this machine, as by ?sslmode=verify-full&sslrootcert=<file>. Where the network to it carries nobody else, DATABASE_ALLOW_UNENCRYPTED=true says so';

/** The reasons why the service does not use the address. Each completes a sentence that begins with the name of the setting. */
export function databaseUrlFaults(url: string, variables: NodeJS.ProcessEnv): readonly string[] {
  try {
    const { NODE_ENV, DATABASE_ALLOW_UNENCRYPTED } = variables;
    const allowed = NODE_ENV !== 'production' || DATABASE_ALLOW_UNENCRYPTED === 'true';
    return isPrivate(readDatabaseUrl(url)) || allowed ? [] : [NOT_PRIVATE];
  } catch (error) {
    if (error instanceof InvalidDatabaseUrlError) return error.faults;
    throw error;
  }
}
