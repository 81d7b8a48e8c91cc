export { AuthModule, type AuthModuleOptions } from './auth.module.js';
export { Public, PUBLIC_ROUTE, ROUTE_SCOPES, Scopes } from './access.decorators.js';
export { API_KEY_SCOPE, ApiKey, type ApiKeyEnd, type ApiKeyState } from './api-key.js';
export {
  API_KEY_PREFIX,
  generateApiKey,
  hashApiKey,
  hideApiKeys,
  hintOfApiKey,
  holdsApiKey,
  isWellFormedApiKey,
  LONGEST_API_KEY,
} from './api-key-text.js';
export {
  ApiKeyAdministration,
  ApiKeyAuditEntry,
  ApiKeyRefusedError,
  ApiKeys,
  type ApiKeyAction,
  type ApiKeyRotation,
  type ApiKeySelection,
} from './api-key-store.js';
export { callerOf, refusedApiKeyOf, type Caller, type RefusedApiKey } from './caller.js';
export { InMemoryApiKeys } from './in-memory-api-keys.js';
export { CHALLENGE } from './auth.errors.js';
