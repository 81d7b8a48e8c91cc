import { InMemoryApiKeys } from '@animal-store/auth';
import { describeApiKeys } from './api-keys.contract.js';

describeApiKeys('in memory', () => Promise.resolve({ keys: new InMemoryApiKeys(), close: () => Promise.resolve() }));
