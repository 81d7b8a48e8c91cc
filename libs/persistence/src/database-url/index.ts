export { completeDatabaseUrls } from './database-environment.js';
