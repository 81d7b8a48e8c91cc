import { join } from 'node:path';
import { runServer } from '../../../apps/api/src/run-server.js';

/** As `npm start`, with orders beside the catalogue. */
await runServer(async () => {
  const { OrdersModule } = await import('./index.js');
  return { features: [OrdersModule], migrations: [join(import.meta.dirname, 'persistence/migrations')] };
});
