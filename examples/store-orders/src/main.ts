import { join } from 'node:path';
import { runServer } from '../../../apps/api/src/run-server.js';

/** Starts the server as `npm start` does, with the catalogue and orders. */
await runServer(async () => {
  const { OrdersModule } = await import('./index.js');
  return { features: [OrdersModule], migrations: [join(import.meta.dirname, 'persistence/migrations')] };
});
