import { MikroORM } from '@mikro-orm/core';
import { ApiKeyAdministration, ApiKeys } from '@animal-store/auth';
import { UnitOfWork } from '@animal-store/kernel';
import { PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { ApiKeyAuditEntry } from '../../libs/persistence/src/api-keys/api-key.mapping.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service-without-http.js';
import { describeAfterCommit } from './after-commit.contract.js';
import { describeApiKeyAdministration } from './api-key-administration.contract.js';
import { describeApiKeys } from './api-keys.contract.js';
import { describePetChanges } from './pet-changes.contract.js';
import { describePetReadModel } from './pet-read-model.contract.js';
import { describePetRepository } from './pet-repository.contract.js';

describe('on PostgreSQL', () => {
  // The contracts of the catalogue add to what they find, and those of the keys use names of their own.
  const service = useService(createMigratedDatabase);

  /** The ports of the service, which ends after the last contract. */
  function open() {
    return Promise.resolve({
      keys: service.get(ApiKeys),
      administration: service.get(ApiKeyAdministration),
      audit: (limit: number) =>
        service
          .get(MikroORM)
          .em.fork()
          .find(ApiKeyAuditEntry, {}, { orderBy: { id: 'desc' }, limit }),
      repository: service.get(PetRepository),
      readModel: service.get(PetReadModel),
      units: service.get(UnitOfWork),
      close: () => Promise.resolve(),
    });
  }

  describeApiKeyAdministration('in PostgreSQL', open);
  describeApiKeys('in PostgreSQL', open);
  describePetRepository('in PostgreSQL', open);
  describePetReadModel('in PostgreSQL', open);
  describeAfterCommit('in PostgreSQL', open);
  describePetChanges('in PostgreSQL', open);
});
