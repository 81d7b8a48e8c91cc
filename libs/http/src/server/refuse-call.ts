import type { NestExpressApplication } from '@nestjs/platform-express';

/** Makes a call of an application throw. The error says why. */
export function refuseCall(app: NestExpressApplication, call: string, reason: string): void {
  Object.defineProperty(app, call, {
    configurable: true,
    value: () => {
      throw new Error(`app.${call}() is refused: ${reason}`);
    },
  });
}
