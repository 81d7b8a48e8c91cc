import { ApiKeyAdministration, ApiKeys } from '@animal-store/auth';
import { UnitOfWork } from '@animal-store/kernel';
import { PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { DATABASES } from '../support/databases.js';
import { openService, type Service } from '../support/service.js';
import { describeApiKeyAdministration } from './api-key-administration.contract.js';
import { describeApiKeys } from './api-keys.contract.js';
import { describePetChanges } from './pet-changes.contract.js';
import { describePetReadModel } from './pet-read-model.contract.js';
import { describePetRepository } from './pet-repository.contract.js';

for (const { name, create } of DATABASES) {
  /** Opens ports of the service on a database of their own. */
  async function open<Ports>(portsOf: (service: Service) => Ports) {
    const database = await create();
    const service = await openService(database);
    const close = async () => {
      await service.close();
      await database.remove();
    };
    return { ...portsOf(service), close };
  }

  describeApiKeys(`in ${name}`, () => open((service) => ({ keys: service.get(ApiKeys) })));

  describeApiKeyAdministration(`in ${name}`, () =>
    open((service) => ({ keys: service.get(ApiKeys), administration: service.get(ApiKeyAdministration) })),
  );

  describePetRepository(`in ${name}`, () => open((service) => ({ repository: service.get(PetRepository) })));

  describePetReadModel(`in ${name}`, () =>
    open((service) => ({ repository: service.get(PetRepository), readModel: service.get(PetReadModel) })),
  );

  describePetChanges(`in ${name}`, () =>
    open((service) => ({
      repository: service.get(PetRepository),
      readModel: service.get(PetReadModel),
      units: service.get(UnitOfWork),
    })),
  );
}
