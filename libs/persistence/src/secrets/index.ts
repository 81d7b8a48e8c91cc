export { SecretsPersistenceModule } from './secrets-persistence.module.js';
export { ServiceSecrets } from './service-secrets.js';
