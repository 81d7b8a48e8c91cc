import { Controller, Get, Logger } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@animal-store/auth';
import { DatabaseHealth } from '@animal-store/persistence';
import { HttpDrain, SparseWarnings } from '@animal-store/http';
import { NotReadyError } from './not-ready.error.js';

/** What a supervisor and a balancer ask. Up or down, and nothing that a stranger could use. */
@Public()
@ApiExcludeController()
@Controller('health')
export class HealthController {
  private readonly warnings = new SparseWarnings(new Logger(HealthController.name));

  constructor(
    private readonly database: DatabaseHealth,
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
    try {
      await this.database.check();
    } catch (error) {
      this.warnings.warn('Not ready', error);
      throw new NotReadyError();
    }
    return { status: 'up' };
  }
}
