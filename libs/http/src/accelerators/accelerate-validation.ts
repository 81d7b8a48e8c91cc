import type { INestApplication } from '@nestjs/common';
import { RequestClasses } from '../validation/request-class.js';
import type { Accelerators } from './accelerators.js';

/**
 * Compiles the request classes that class-transformer only copies. Must be called before the application serves
 * requests.
 */
export async function accelerateValidation(app: INestApplication, accelerators: Accelerators): Promise<void> {
  await accelerators.load('compiled-validation', async () => {
    const { classTransformations } = await import('./class-transformations.js');
    app.get(RequestClasses, { strict: false }).compileBy(await classTransformations());
  });
}
