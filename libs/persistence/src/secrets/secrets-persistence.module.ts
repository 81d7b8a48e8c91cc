import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { SecretMapping, ServiceSecrets } from './service-secrets.js';

@Module({
  imports: [MikroOrmModule.forFeature([SecretMapping])],
  providers: [ServiceSecrets],
  exports: [ServiceSecrets],
})
export class SecretsPersistenceModule {}
