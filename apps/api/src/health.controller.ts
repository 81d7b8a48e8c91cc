import { Controller, Get, Injectable, Logger, Module } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@animal-store/auth';
import { HttpDrain } from '@animal-store/http';
import { DatabaseHealth, isDatabaseUnavailable, rootCauseMessage } from '@animal-store/persistence';

/** Whether the database serves. The log gets a line for each new reason why it does not, and one when that is over. */
@Injectable()
export class Readiness {
  private readonly logger = new Logger(Readiness.name);
  /** Why the service is not ready; `undefined` if it is. */
  private reason: string | undefined;

  constructor(private readonly database: DatabaseHealth) {}

  async check(): Promise<boolean> {
    const reason = await this.database.check().then(() => undefined, reasonOf);
    if (reason !== this.reason) {
      this.reason = reason;
      if (reason === undefined) this.logger.log('Ready');
      else this.logger.warn(`Not ready: ${reason}. No restart is needed when this is over`);
    }
    return reason === undefined;
  }
}

function reasonOf(error: unknown): string {
  const reason = rootCauseMessage(error);
  return isDatabaseUnavailable(error) ? `The database is not available: ${reason}` : reason;
}

/** The response of a service that is not ready. Only the log has the reason. */
class NotReadyError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';
  readonly isLogged = true;
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
    if (this.drain.hasBegun || !(await this.readiness.check())) throw new NotReadyError('down');
    return { status: 'up' };
  }
}

@Module({ controllers: [HealthController], providers: [Readiness] })
export class HealthModule {}
