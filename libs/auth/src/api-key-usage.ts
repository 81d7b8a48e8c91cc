import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { ApiKeys } from './api-key-store.js';

/** The precision of the time of the last use, in milliseconds. */
const INTERVAL_MS = 60_000;

/** How long the shutdown may wait for the last write, in milliseconds. */
const SHUTDOWN_WAIT_MS = 500;

/**
 * Collects the ids of used keys and writes them to the store in the background, at most once a minute, in one call. No request
 * waits for it, and no request fails because of it.
 */
@Injectable()
export class ApiKeyUsage implements BeforeApplicationShutdown {
  private used = new Set<bigint>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly keys: ApiKeys) {}

  /** Notes a use. A second call for the same key costs nothing. */
  note(id: bigint): void {
    this.used.add(id);
    this.timer ??= setTimeout(() => void this.flush(), INTERVAL_MS).unref();
  }

  /** Ids that the store cannot take now are written again after the next use. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const ids = [...this.used];
    this.used = new Set();
    if (ids.length === 0) return;
    try {
      await this.keys.markUsed(ids);
    } catch {
      // The store is unavailable. Requests report that, so it is not logged here.
      for (const id of ids) this.used.add(id);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, SHUTDOWN_WAIT_MS);
    });
    await Promise.race([this.flush(), timeout]);
    clearTimeout(timer);
  }
}
