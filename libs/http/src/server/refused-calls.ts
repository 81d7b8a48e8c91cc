import type { NestExpressApplication } from '@nestjs/platform-express';

type Call = keyof NestExpressApplication;

/** What Nest reads when it makes the routes, and never again. */
const BEFORE_ROUTES: readonly Call[] = [
  'enableCors',
  'use',
  'useGlobalFilters',
  'useGlobalGuards',
  'useGlobalInterceptors',
  'useGlobalPipes',
  'useStaticAssets',
];

/** What the service has decided, and why. */
const DECIDED: Readonly<Partial<Record<Call, string>>> = {
  connectMicroservice: 'the server takes HTTP alone; start a microservice of its own for messages',
  enableShutdownHooks: 'the hooks run at SIGTERM and SIGINT anyway, once the requests under way are finished',
  enableVersioning: "versions are part of the URI already: @Controller({ path: 'orders', version: '1' })",
  setGlobalPrefix: 'addresses are those of the contract; a proxy may put a prefix before them',
  useBodyParser:
    'bodies are read after the guards have let the request in: @Body() gives JSON within BODY_LIMIT, and a route that ' +
    'declares another media type with @ApiConsumes reads its body itself',
  useSecurityHeaders: 'every answer has security headers; a route replaces one of them with @Header()',
  useWebSocketAdapter: 'the server offers no other protocol than HTTP; @Sse() sends events',
};

/**
 * Lets calls that would mean something else here than in Nest's documentation throw, with the reason.
 *
 * @param corsSetting the setting that decides about CORS, where it is set
 */
export function refuseMisleadingCalls(
  app: NestExpressApplication,
  { corsSetting }: { readonly corsSetting?: string | undefined },
): void {
  for (const [call, reason] of Object.entries(DECIDED)) refuse(app, call, reason);
  if (corsSetting !== undefined)
    refuse(app, 'enableCors', `${corsSetting} is set and decides about CORS: unset it first`);
}

/** Lets calls that come too late to have an effect throw. To be called once the application is initialised. */
export function refuseLateCalls(app: NestExpressApplication): void {
  for (const call of BEFORE_ROUTES)
    refuse(app, call, 'the routes are made already; call it in createApp(environment, { configure: (app) => … })');
}

function refuse(app: NestExpressApplication, call: string, reason: string): void {
  Object.defineProperty(app, call, {
    configurable: true,
    value: () => {
      throw new Error(`app.${call}() is refused: ${reason}`);
    },
  });
}
