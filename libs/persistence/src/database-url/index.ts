export {
  completeDatabaseUrl,
  InvalidDatabaseUrlError,
  isPrivate,
  readDatabaseUrl,
  UNKNOWN_TLS_VARIABLES,
} from './database-url.js';
