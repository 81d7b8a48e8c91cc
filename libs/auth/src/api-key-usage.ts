import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { ApiKeys } from './api-keys.js';

/** How coarse the time of the last use is, in milliseconds. */
const INTERVAL_MS = 60_000;

/** How long the end of the process may wait for the last write, in milliseconds. */
const SHUTDOWN_WAIT_MS = 500;

/**
 * Collects which keys are in use, and tells the store in the background: at most once a minute, for all of them at once.
 * No request waits for it, and none fails by it.
 */
@Injectable()
export class ApiKeyUsage implements BeforeApplicationShutdown {
  private used = new Set<bigint>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly keys: ApiKeys) {}

  /** Notes a use. Costs nothing when the key was noted before. */
  note(id: bigint): void {
    this.used.add(id);
    this.timer ??= setTimeout(() => void this.flush(), INTERVAL_MS).unref();
  }

  /** What the store does not take now is told again with the next use. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const ids = [...this.used];
    this.used = new Set();
    if (ids.length === 0) return;
    try {
      await this.keys.markUsed(ids);
    } catch {
      // The store is away, which requests tell loudly enough.
      for (const id of ids) this.used.add(id);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, SHUTDOWN_WAIT_MS);
    });
    await Promise.race([this.flush(), enough]);
    clearTimeout(timer);
  }
}
