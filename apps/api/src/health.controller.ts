import { Controller, Get, Injectable, Logger, Module, ServiceUnavailableException } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@animal-store/auth';
import { HttpDrain } from '@animal-store/http';
import { rootCauseMessage } from '@animal-store/kernel';
import { DatabaseHealth } from '@animal-store/persistence';

/** Whether the database serves. The log gets a line for each new reason why it does not, and one when that is over. */
@Injectable()
export class Readiness {
  private readonly logger = new Logger(Readiness.name);
  /** Why the service is not ready; `undefined` if it is. */
  private reason: string | undefined;

  constructor(private readonly database: DatabaseHealth) {}

  async check(): Promise<boolean> {
    const reason = await this.database.check().then(() => undefined, rootCauseMessage);
    if (reason !== this.reason) {
      this.reason = reason;
      if (reason === undefined) this.logger.log('Ready');
      else this.logger.warn(`Not ready: ${reason}. No restart is needed when this is over`);
    }
    return reason === undefined;
  }
}

/** The health endpoints for supervisors and load balancers. They say up or down, and nothing that a stranger could use. */
@Public()
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly drain: HttpDrain,
  ) {}

  /** The process responds. It says nothing about the database, because a restart of the process would not repair that. */
  @Get('live')
  live(): { status: 'up' } {
    return { status: 'up' };
  }

  /** The service is ready: it is not shutting down, the database responds, and every migration is applied. */
  @Get('ready')
  async ready(): Promise<{ status: 'up' }> {
    if (this.drain.hasBegun || !(await this.readiness.check())) throw new ServiceUnavailableException('down');
    return { status: 'up' };
  }
}

@Module({ controllers: [HealthController], providers: [Readiness] })
export class HealthModule {}
