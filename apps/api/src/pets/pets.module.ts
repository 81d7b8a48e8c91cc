import { Module } from '@nestjs/common';
import { PetReadModel, PetRepository, PetsService } from '@animal-store/pets-domain';
import { PetsPersistenceModule } from '@animal-store/persistence/pets';
import { SecretsPersistenceModule, ServiceSecrets } from '@animal-store/persistence/secrets';
import { PageAnswers } from './page-answers.js';
import { PageCursors } from './page-cursors.js';
import { PetsController } from './pets.controller.js';

/** The catalogue over HTTP. */
@Module({
  imports: [PetsPersistenceModule, SecretsPersistenceModule],
  controllers: [PetsController],
  providers: [
    {
      provide: PetsService,
      useFactory: (pets: PetRepository, catalogue: PetReadModel) => new PetsService(pets, catalogue),
      inject: [PetRepository, PetReadModel],
    },
    PageAnswers,
    {
      provide: PageCursors,
      useFactory: (secrets: ServiceSecrets) => new PageCursors(() => secrets.get('page-cursors')),
      inject: [ServiceSecrets],
    },
  ],
})
export class PetsModule {}
