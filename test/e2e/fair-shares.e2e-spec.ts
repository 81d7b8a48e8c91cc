import { setTimeout as delay } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Module, Post, Query } from '@nestjs/common';
import { ApiKey, ApiKeyAdministration, generateApiKey, hashApiKey } from '@animal-store/auth';
import { UnitOfWork } from '@animal-store/kernel';
import { createMigratedDatabase } from '../support/databases.js';
import { useApp } from '../support/running-app.js';
import { withClient } from '../support/sql.js';

/** More requests than there are connections. */
const REQUESTS = 30;

const QUESTIONS = 100;

/** The upper limit for the responses to other callers, in milliseconds, on a machine that also does other work. */
const P99_MS = 500;

const LOCK = 4_242;

/** Every operation of this controller waits for a lock, in a transaction or in a query. */
@Controller({ path: 'locks', version: '1' })
class LocksController {
  constructor(
    private readonly em: EntityManager,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @Post()
  async wait(@Query('way') way: string): Promise<void> {
    if (way === 'unit of work') await this.unitOfWork.run(() => this.lock());
    else if (way === 'em.transactional') await this.em.transactional(() => this.lock());
    else await this.lock();
  }

  private async lock(): Promise<void> {
    await this.em.execute(`select pg_advisory_xact_lock(${LOCK})`);
  }
}

@Module({ controllers: [LocksController] })
class LocksModule {}

describe('while everything that one module does waits for a lock', () => {
  const app = useApp(createMigratedDatabase, {}, { features: [LocksModule] });

  /** The 99th percentile of the response times, in milliseconds. */
  async function p99(ask: () => Promise<Response>): Promise<number> {
    const times: number[] = [];
    for (let count = 0; count < QUESTIONS; count += 1) {
      const askedAt = performance.now();
      const answer = await ask();
      await answer.text();
      expect(answer.ok).toBe(true);
      times.push(performance.now() - askedAt);
    }
    return times.toSorted((a, b) => a - b)[Math.floor(QUESTIONS * 0.99) - 1] ?? Infinity;
  }

  test.each(['unit of work', 'em.transactional', 'query'])(
    'the catalogue, readiness and a new key are served at once: %s',
    async (way) => {
      await withClient(app.database.url, async (holder) => {
        await holder.query(`select pg_advisory_lock(${LOCK})`);
        const path = `/v1/locks?way=${encodeURIComponent(way)}`;
        const waiting = Array.from({ length: REQUESTS }, () => app.request(path, { method: 'POST' }));
        await delay(300);
        const key = generateApiKey('test');
        const createdAt = performance.now();
        await app.app.get(ApiKeyAdministration, { strict: false }).create(new ApiKey(way, hashApiKey(key)), 'test');
        const seen = {
          creation: performance.now() - createdAt,
          page: await p99(() => app.request('/v1/pets')),
          newKey: await p99(() => app.request('/v1/pets', { key })),
          ready: await p99(() => app.request('/health/ready')),
        };
        await holder.query(`select pg_advisory_unlock(${LOCK})`);
        const statuses = (await Promise.all(waiting)).map(({ status }) => status);
        expect(Math.max(...Object.values(seen))).toBeLessThan(P99_MS);
        // A request that did not get the lock in time was answered with 503.
        expect(new Set(statuses)).toEqual(new Set(statuses.filter((status) => status === 201 || status === 503)));
      });
    },
  );
});
