import { Controller, Get, Logger } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@animal-store/auth';
import { DatabaseHealth } from '@animal-store/persistence';
import { NotReadyError } from './not-ready.error.js';

/** What a supervisor and a balancer ask. Up or down, and nothing that a stranger could use. */
@Public()
@ApiExcludeController()
@Controller('health')
export class HealthController {
  private readonly logger = new Logger(HealthController.name);

  constructor(private readonly database: DatabaseHealth) {}

  /** The process answers. It says nothing of the database: restarting the process would not mend that. */
  @Get('live')
  live(): { status: 'up' } {
    return { status: 'up' };
  }

  /** The process can serve: the database answers, and has every migration. */
  @Get('ready')
  async ready(): Promise<{ status: 'up' }> {
    try {
      await this.database.check();
    } catch (error) {
      this.logger.warn({ err: error }, 'Not ready');
      throw new NotReadyError();
    }
    return { status: 'up' };
  }
}
