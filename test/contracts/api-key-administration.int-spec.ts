import { ApiKeyAdministration, ApiKeys } from '@animal-store/auth';
import { DATABASES } from '../support/databases.js';
import { openService } from '../support/service.js';
import { describeApiKeyAdministration } from './api-key-administration.contract.js';

for (const { name, create } of DATABASES) {
  describeApiKeyAdministration(`in ${name}`, async () => {
    const database = await create();
    const service = await openService(database);
    return {
      administration: service.get(ApiKeyAdministration),
      keys: service.get(ApiKeys),
      close: async () => {
        await service.close();
        await database.remove();
      },
    };
  });
}
