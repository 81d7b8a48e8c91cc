export { AuthModule, type AuthModuleOptions } from './auth.module.js';
export { ApiKey, ApiKeys } from './api-keys.js';
export { generateApiKey, hashApiKey } from './api-key.js';
export { callerOf, type Caller } from './caller.js';
export { Public } from './public.decorator.js';
