import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { Log } from './log.js';

/** Makes Nest and all modules use the logger of the process, and writes the last lines at the shutdown. */
@Module({})
export class LoggingModule implements OnApplicationShutdown {
  constructor(private readonly log: Log) {}

  static forRoot(log: Log): DynamicModule {
    return {
      module: LoggingModule,
      // `requestLog` writes the lines of requests. The logger adds the id of the request to every other line.
      imports: [LoggerModule.forRoot({ pinoHttp: { logger: log.logger, autoLogging: false }, forRoutes: [] })],
      providers: [{ provide: Log, useValue: log }],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.log.output.flush();
  }
}
