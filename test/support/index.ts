/** The helpers that the tests of a module may use, as `@animal-store/testing`. */

// Databases, and SQL that a test runs itself.
export { createMigratedDatabase, useDatabase, type ServerDatabase, type TestDatabase } from './databases.js';
export { loseConnections, withClient } from './database-client.js';

// The service: with HTTP, without HTTP, and as a program of the build.
export { BuiltProgram } from './built-program.js';
export { freePort } from './free-port.js';
export { type CreateAppOptions as StartOptions } from '../../apps/api/src/create-app.js';
export {
  clientOf,
  startApp,
  TEST_API_KEY,
  useApp,
  useTwoApps,
  type Client,
  type RequestOptions,
  type RunningApp,
} from './running-app.js';
export { createApiKey } from './test-api-key.js';
export { useService, type Service } from './service-without-http.js';

// The responses that clients see.
export { readError, type ErrorBody } from './error-body.js';
export { Scrape, WITH_METRICS } from './scraped-metrics.js';
export { responseFaults, describedResponse, schemaFaults, type OpenApiDocument, type Operation } from './openapi.js';
export { nextPage } from './page-links.js';

// The promises of operations with a key and of lists, which a module can check on its own.
export { describeIdempotency, type OpenOnce } from '../contracts/idempotency.contract.js';
export { describePaging, idsOf, type OpenCollection } from '../contracts/paging.contract.js';
