import type { NestExpressApplication } from '@nestjs/platform-express';

/** The calls that contradict a decision of this service, with the reason. */
const DECIDED: Readonly<Partial<Record<keyof NestExpressApplication, string>>> = {
  connectMicroservice: 'the server takes HTTP alone; start a microservice of its own for messages',
  enableShutdownHooks: 'the hooks run at SIGTERM and SIGINT anyway, once the requests under way are finished',
  enableVersioning: "versions are part of the URI already: @Controller({ path: 'orders', version: '1' })",
  setGlobalPrefix: 'addresses are those of the contract; a proxy may put a prefix before them',
  useBodyParser:
    'bodies are read after the guards have let the request in: @Body() gives JSON within BODY_LIMIT, and a route that ' +
    'declares another media type with @ApiConsumes reads its body itself',
  useSecurityHeaders: 'every response has security headers; a route replaces one of them with @Header()',
  useWebSocketAdapter: 'the server offers no other protocol than HTTP; @Sse() sends events',
};

/**
 * Makes calls throw that would have another effect than Nest's documentation says. The error says why.
 *
 * @param corsSetting the setting that controls CORS, if it is set
 */
export function refuseMisleadingCalls(
  app: NestExpressApplication,
  { corsSetting }: { readonly corsSetting?: string | undefined },
): void {
  for (const [call, reason] of Object.entries(DECIDED)) refuseCall(app, call, reason);
  if (corsSetting !== undefined)
    refuseCall(app, 'enableCors', `${corsSetting} is set and decides about CORS: unset it first`);
}

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

/** Makes a call of an application throw. The error says why. */
function refuseCall(app: NestExpressApplication, call: string, reason: string): void {
  Object.defineProperty(app, call, {
    configurable: true,
    value: () => {
      throw new Error(`app.${call}() is refused: ${reason}`);
    },
  });
}
