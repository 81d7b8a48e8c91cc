import type { INestApplication } from '@nestjs/common';
import { RequestClasses } from '../validation/request-class.js';
import type { Accelerators } from './accelerators.js';

/** Compiles the classes of requests that class-transformer only copies. To be called before the application serves. */
export async function accelerateValidation(app: INestApplication, accelerators: Accelerators): Promise<void> {
  await accelerators.load('compiled-validation', async () => {
    const { classTransformations } = await import('./class-transformations.js');
    app.get(RequestClasses, { strict: false }).compileBy(await classTransformations());
  });
}
