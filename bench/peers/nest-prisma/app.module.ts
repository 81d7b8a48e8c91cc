import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyGuard } from '../nest-shared/api-key.guard.js';
import { PetsController } from '../nest-shared/pets.controller.js';
import { PetsService } from '../nest-shared/pets.service.js';
import { PrismaPetsService } from './prisma-pets.service.js';
import { PrismaService } from './prisma.service.js';

@Module({
  controllers: [PetsController],
  providers: [
    PrismaService,
    { provide: PetsService, useClass: PrismaPetsService },
    { provide: APP_GUARD, useClass: ApiKeyGuard },
  ],
})
export class AppModule {}
