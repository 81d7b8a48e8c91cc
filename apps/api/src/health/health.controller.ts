import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@animal-store/auth';
import { HttpDrain } from '@animal-store/http';
import { NotReadyError, Readiness } from './readiness.js';

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

  /** The service is ready: it is not shutting down, the database responds, every migration is applied, and the secrets are stored. */
  @Get('ready')
  async ready(): Promise<{ status: 'up' }> {
    if (this.drain.hasBegun) throw new NotReadyError();
    await this.readiness.check();
    return { status: 'up' };
  }
}
