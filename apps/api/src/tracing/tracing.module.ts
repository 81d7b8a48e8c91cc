import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseStats } from '@animal-store/persistence';
import type { RunningTraces } from './running-traces.js';

/** How long the last traces may take to be sent: less than a shutdown has. */
const SENT_WITHIN_MS = 2_000;

const RUNNING = 'running traces';

/** Lets the traces follow requests into the statements that they share, and sends the last ones before the process ends. */
@Module({})
export class TracingModule implements OnApplicationShutdown {
  constructor(
    @Inject(RUNNING) private readonly traces: RunningTraces,
    load: DatabaseStats,
  ) {
    load.traceBatches(traces.batches);
  }

  static forRoot(traces: RunningTraces): DynamicModule {
    return { module: TracingModule, providers: [{ provide: RUNNING, useValue: traces }] };
  }

  async onApplicationShutdown(): Promise<void> {
    // That nobody takes the traces is no reason for a shutdown to fail.
    const stopped = this.traces.stop().catch(() => undefined);
    await Promise.race([stopped, delay(SENT_WITHIN_MS, undefined, { ref: false })]);
  }
}
