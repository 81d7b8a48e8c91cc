import { Controller, Get, Module, UseGuards } from '@nestjs/common';
import { createMigratedDatabase } from '../../support/databases.js';
import { readError } from '../../support/error-body.js';
import { useApp } from '../../support/running-app.js';
import { ThrottlingGuard } from './commonjs-package/throttling.cjs';

@Controller({ path: 'throttled', version: '1' })
@UseGuards(ThrottlingGuard)
class ThrottledController {
  @Get()
  list(): string[] {
    return [];
  }
}

@Module({ controllers: [ThrottledController] })
class ThrottledModule {}

const app = useApp(createMigratedDatabase, {}, { features: [ThrottledModule] });

test('a package of CommonJS that requires Nest is loaded, and works', async () => {
  const { status, message } = await readError(await app.request('/v1/throttled'));
  expect([status, message]).toEqual([429, 'Too many requests for this guard']);
});
