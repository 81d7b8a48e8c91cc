import { Logger, type INestApplication } from '@nestjs/common';

/**
 * Executes routes with fewer promises, through private parts of Nest (docs/adr/0012). If a release of Nest has changed
 * one of them, the log says so once, and Nest executes the routes: with the same responses, and slower.
 *
 * Must be called before the application is initialised.
 */
export async function accelerateRoutes(app: INestApplication): Promise<void> {
  let isReported = false;
  const report = (reason: unknown): void => {
    if (isReported) return;
    isReported = true;
    const cause = reason instanceof Error ? reason.message : String(reason);
    new Logger('Accelerators').warn(`Nest executes the routes, slower than before, as it has changed: ${cause}`);
  };
  try {
    // Imported on demand: if Nest has moved a private file, the import fails here, and the service starts.
    const { executeRoutesDirectly } = await import('./route-execution.js');
    executeRoutesDirectly(app, report);
  } catch (error) {
    report(error);
  }
}
