export { InvalidDatabaseUrlError, isReadableByOthers, readDatabaseUrl } from './database-url.js';
