import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { Log } from './log.js';

/** Lets Nest and every module log through the one logger of the process, and writes the last lines before it ends. */
@Module({})
export class LoggingModule implements OnApplicationShutdown {
  constructor(private readonly log: Log) {}

  static forRoot(log: Log): DynamicModule {
    return {
      module: LoggingModule,
      // The line of a request is written by `requestLog`, and its id comes with every other line.
      imports: [LoggerModule.forRoot({ pinoHttp: { logger: log.logger, autoLogging: false }, forRoutes: [] })],
      providers: [{ provide: Log, useValue: log }],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.log.output.flush();
  }
}
