import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { RunningTraces } from './open-telemetry.js';

/** The time limit for sending the last traces, in milliseconds: less than the grace period of a shutdown. */
const SENT_WITHIN_MS = 2_000;

const RUNNING = 'running traces';

/** Sends the last traces before the process ends. */
@Module({})
export class TracingModule implements OnApplicationShutdown {
  constructor(@Inject(RUNNING) private readonly traces: RunningTraces) {}

  static forRoot(traces: RunningTraces): DynamicModule {
    return { module: TracingModule, providers: [{ provide: RUNNING, useValue: traces }] };
  }

  async onApplicationShutdown(): Promise<void> {
    // A shutdown must not fail because the receiver of the traces is not available.
    const stopped = this.traces.stop().catch(() => undefined);
    await Promise.race([stopped, delay(SENT_WITHIN_MS, undefined, { ref: false })]);
  }
}
