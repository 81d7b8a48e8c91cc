import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import type { Logger } from 'pino';
import { LogOutput } from './log-output.js';

/** Lets Nest and every module log through the one logger of the process, and writes the last lines before it ends. */
@Module({})
export class LoggingModule implements OnApplicationShutdown {
  constructor(private readonly output: LogOutput) {}

  static forRoot(logger: Logger, output: LogOutput): DynamicModule {
    return {
      module: LoggingModule,
      // The line of a request is written by `requestLog`, and its id comes with every other line.
      imports: [LoggerModule.forRoot({ pinoHttp: { logger, autoLogging: false }, forRoutes: [] })],
      providers: [{ provide: LogOutput, useValue: output }],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.output.flush();
  }
}
