import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { ApiKeys } from './api-key-store.js';

/** The time between two writes, in milliseconds. */
const INTERVAL_MS = 60_000;

/** How long the shutdown may wait for the last write, in milliseconds. */
const SHUTDOWN_WAIT_MS = 500;

/**
 * Collects when keys were last used, and writes it to the store in the background, at most once a minute, in one call. No request
 * waits for it, and no request fails because of it.
 */
@Injectable()
export class ApiKeyUsage implements BeforeApplicationShutdown {
  /** The times of the last uses that are not stored yet, by the ids of the keys. */
  private unstored = new Map<bigint, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly keys: ApiKeys) {}

  /** Notes that a key is used now. */
  note(id: bigint): void {
    this.unstored.set(id, new Date());
    this.schedule();
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => void this.flush(), INTERVAL_MS).unref();
  }

  /** What the store cannot take now is written a minute later. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const uses = this.unstored;
    this.unstored = new Map();
    if (uses.size === 0) return;
    try {
      await this.keys.markUsed(uses);
    } catch {
      // The store is unavailable. Requests report that, so it is not logged here.
      this.unstored = new Map([...uses, ...this.unstored]);
      this.schedule();
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    const timeout = new Promise<void>((resolve) => void setTimeout(resolve, SHUTDOWN_WAIT_MS).unref());
    await Promise.race([this.flush(), timeout]);
  }
}
