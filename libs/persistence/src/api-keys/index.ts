import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { ApiKeyAdministration, ApiKeys } from '@animal-store/auth';
import { ApiKeyAuditEntry, ApiKeyMapping } from './api-key.mapping.js';
import { MikroOrmApiKeys } from './mikro-orm-api-keys.js';

@Module({
  imports: [MikroOrmModule.forFeature([ApiKeyMapping, ApiKeyAuditEntry])],
  providers: [
    { provide: ApiKeys, useClass: MikroOrmApiKeys },
    { provide: ApiKeyAdministration, useExisting: ApiKeys },
  ],
  exports: [ApiKeys, ApiKeyAdministration],
})
export class ApiKeysPersistenceModule {}
