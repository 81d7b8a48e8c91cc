import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@animal-store/auth';
import { HttpDrain } from '@animal-store/http';
import { NotReadyError } from './not-ready.error.js';
import { Readiness } from './readiness.js';

/** What a supervisor and a balancer ask. Up or down, and nothing that a stranger could use. */
@Public()
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly drain: HttpDrain,
  ) {}

  /** The process answers. It says nothing of the database: restarting the process would not mend that. */
  @Get('live')
  live(): { status: 'up' } {
    return { status: 'up' };
  }

  /** The process can serve: it was not told to stop, and the database answers and has every migration. */
  @Get('ready')
  async ready(): Promise<{ status: 'up' }> {
    if (this.drain.hasBegun) throw new NotReadyError();
    await this.readiness.check();
    return { status: 'up' };
  }
}
