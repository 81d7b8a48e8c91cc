/** The helpers that the tests of a module may use, as `@animal-store/testing`. */

// Databases, and SQL that a test runs itself.
export {
  createEmbeddedDatabase,
  createMigratedDatabase,
  createServerDatabase,
  useDatabase,
  useOnDatabase,
  type CreateDatabase,
  type ServerDatabase,
  type TestDatabase,
  type Used,
} from './databases.js';
export { sentBy, type SentStatement } from './sent-statements.js';
export { tablesOf, untilBlocked, withClient } from './database-client.js';

// The service: with HTTP, without HTTP, and as a program of the build.
export { BuiltProgram, buildOnce } from './built-program.js';
export { freePort } from './free-port.js';
export { type Override, type StartOptions } from './overridden-providers.js';
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
export { openService, useService, useTwoServices, type Service } from './service-without-http.js';

// The responses that clients see.
export { faultsOfError, readError, type ErrorBody } from './error-body.js';
export { Scrape, WITH_METRICS } from './scraped-metrics.js';
export {
  responseFaults,
  describedResponse,
  exampleOf,
  schemaFaults,
  type OpenApiDocument,
  type Operation,
} from './openapi.js';
export { nextPage } from './page-links.js';
export { RawConnection, rawExchange, requestBytes, type RawResponse } from './raw-http.js';

// Doubles of ports, in memory.
export { InMemoryApiKeys } from './in-memory-api-keys.js';
export { InMemoryPetReadModel, InMemoryPetRepository } from './in-memory-pets.js';
export { InMemoryState, InMemoryUnitOfWork } from './in-memory-unit-of-work.js';

// Faults.
export { loseConnections } from './lost-connections.js';
export { SilenceableProxy } from './silenceable-proxy.js';
export { slowDatabase } from './slow-database.js';

// The promises of repositories and read models, which a module can check on its own.
export { describeIdempotency, type OpenOnce } from '../contracts/idempotency.contract.js';
export {
  describePaging,
  describeReadModel,
  idsOf,
  type AskedPage,
  type OpenCollection,
  type OpenReadModel,
} from '../contracts/paging.contract.js';
