import { ApiKeyAdministration, ApiKeys } from '@animal-store/auth';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service-without-http.js';
import { describeApiKeys } from './api-keys.contract.js';

describe('on PostgreSQL', () => {
  const service = useService(createMigratedDatabase);
  describeApiKeys('of the service', () =>
    Promise.resolve({ keys: service.get(ApiKeys), administration: service.get(ApiKeyAdministration) }),
  );
});
