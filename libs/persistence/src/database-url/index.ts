export { completeDatabaseUrls } from './database-url.js';
