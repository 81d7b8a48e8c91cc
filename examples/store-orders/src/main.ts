import { join } from 'node:path';
import { runServer } from '../../../apps/api/src/main.js';
import { OrdersModule } from './index.js';

/** Starts the server as `npm start` does, with the catalogue and orders. */
await runServer({ features: [OrdersModule], migrations: [join(import.meta.dirname, 'migrations')] });
