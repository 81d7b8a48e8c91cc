import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { ApiKeys } from './api-key-store.js';

const INTERVAL_MS = 60_000;
const SHUTDOWN_WAIT_MS = 500;

/**
 * Collects when keys were last used, and writes it to the store in one call, at most once a minute. No request waits for it, or
 * fails because of it.
 */
@Injectable()
export class ApiKeyUsage implements BeforeApplicationShutdown {
  /** The last uses that are not stored yet, by the ids of the keys. */
  private pending = new Map<bigint, Date>();
  private readonly timer = setInterval(() => void this.flush(), INTERVAL_MS).unref();

  constructor(private readonly keys: ApiKeys) {}

  note(id: bigint): void {
    this.pending.set(id, new Date());
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await Promise.race([this.flush(), delay(SHUTDOWN_WAIT_MS, undefined, { ref: false })]);
  }

  private async flush(): Promise<void> {
    const uses = this.pending;
    if (uses.size === 0) return;
    this.pending = new Map();
    // If the store is unavailable, they are written a minute later. Requests report that, so it is not logged here.
    await this.keys.markUsed(uses).catch(() => {
      this.pending = new Map([...uses, ...this.pending]);
    });
  }
}
