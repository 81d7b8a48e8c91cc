import type { NestExpressApplication } from '@nestjs/platform-express';
import { refuseCall } from './refuse-call.js';

/** The calls whose effect Nest reads only when it makes the routes. */
const BEFORE_ROUTES: readonly (keyof NestExpressApplication)[] = [
  'enableCors',
  'use',
  'useGlobalFilters',
  'useGlobalGuards',
  'useGlobalInterceptors',
  'useGlobalPipes',
  'useStaticAssets',
];

/** Makes calls throw that come too late to have an effect. Must be called when the application is initialised. */
export function refuseLateCalls(app: NestExpressApplication): void {
  for (const call of BEFORE_ROUTES)
    refuseCall(app, call, 'the routes are made already; call it in createApp(environment, { configure: (app) => … })');
}
