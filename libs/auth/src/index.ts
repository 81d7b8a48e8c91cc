export { AuthModule } from './auth.module.js';
export { ApiKeyGuard, Public, PUBLIC_EXTENSION, Scopes } from './api-key.guard.js';
export {
  API_KEY_PREFIX,
  API_KEY_SCOPE,
  ApiKey,
  generateApiKey,
  hashApiKey,
  hideApiKeys,
  holdsApiKey,
  newApiKey,
  type ApiKeyEnd,
} from './api-key.js';
export { ApiKeyAdministration, ApiKeyRefusedError, ApiKeys, type ApiKeyRotation } from './api-key-store.js';
export { callerOf, type Caller } from './caller.js';
