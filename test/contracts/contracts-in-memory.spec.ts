import { InMemoryApiKeys } from '../support/in-memory-api-keys.js';
import { describeApiKeys } from './api-keys.contract.js';

describeApiKeys('in memory', () => {
  const keys = new InMemoryApiKeys();
  return Promise.resolve({ keys, administration: keys });
});
