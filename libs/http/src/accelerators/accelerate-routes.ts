import type { INestApplication } from '@nestjs/common';
import type { Accelerators } from './accelerators.js';

/** Executes routes with fewer promises (docs/adr/0012). Must be called before the application is initialised. */
export async function accelerateRoutes(app: INestApplication, accelerators: Accelerators): Promise<void> {
  await accelerators.load('route-execution', async () => {
    const { executeRoutesDirectly } = await import('./route-execution.js');
    executeRoutesDirectly(app, (reason) => {
      accelerators.giveUp('route-execution', reason);
    });
  });
}
