import { Module } from '@nestjs/common';
import { PetReadModel, PetRepository, PetsService } from '@animal-store/pets-domain';
import { PetsPersistenceModule } from '@animal-store/persistence/pets';
import { PetsController } from './pets.controller.js';

/** The catalogue over HTTP. */
@Module({
  imports: [PetsPersistenceModule],
  controllers: [PetsController],
  providers: [
    {
      provide: PetsService,
      useFactory: (pets: PetRepository, catalogue: PetReadModel) => new PetsService(pets, catalogue),
      inject: [PetRepository, PetReadModel],
    },
  ],
})
export class PetsModule {}
