export { ApiKeysPersistenceModule } from './api-keys-persistence.module.js';
export { MikroOrmApiKeys } from './mikro-orm-api-keys.js';
