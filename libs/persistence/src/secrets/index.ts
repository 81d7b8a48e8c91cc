export { SecretsPersistenceModule } from './secrets-persistence.module.js';
export { CURSOR_SECRET, SecretNotStoredError, ServiceSecrets } from './service-secrets.js';
