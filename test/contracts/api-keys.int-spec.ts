import { ApiKeys } from '@animal-store/auth';
import { DATABASES } from '../support/databases.js';
import { openService } from '../support/service.js';
import { describeApiKeys } from './api-keys.contract.js';

for (const { name, create } of DATABASES) {
  describeApiKeys(`in ${name}`, async () => {
    const database = await create();
    const service = await openService(database);
    return {
      keys: service.get(ApiKeys),
      close: async () => {
        await service.close();
        await database.remove();
      },
    };
  });
}
