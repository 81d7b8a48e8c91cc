import { setTimeout as delay } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get, Module, Post, Query } from '@nestjs/common';
import { UnitOfWork } from '@animal-store/kernel';
import { Pet } from '@animal-store/pets-domain';
import { createMigratedDatabase } from '../support/databases.js';
import { useApp } from '../support/running-app.js';
import { withClient } from '../support/database-client.js';
import { createApiKey } from '../support/test-api-key.js';

/** More requests than there are connections. */
const REQUESTS = 30;

/** How often each of the other callers asks. */
const QUESTIONS = 10;

const LOCK = 4_242;

/** Each `POST` waits for a lock, in a transaction or in a query. Each `GET` only reads. */
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

  @Get()
  async read(): Promise<number> {
    await this.em.execute('select 1');
    return await this.em.count(Pet);
  }

  private async lock(): Promise<void> {
    await this.em.execute(`select pg_advisory_xact_lock(${LOCK})`);
  }
}

@Module({ controllers: [LocksController] })
class LocksModule {}

describe('while everything that one module does waits for a lock', () => {
  const app = useApp(createMigratedDatabase, {}, { features: [LocksModule] });

  test.each(['unit of work', 'em.transactional', 'query'])(
    'the catalogue, readiness and a new key are served before any of it: %s',
    async (way) => {
      await withClient(app.database.url, async (holder) => {
        await holder.query(`select pg_advisory_lock(${LOCK})`);
        const path = `/v1/locks?way=${encodeURIComponent(way)}`;
        const order: string[] = [];
        const waiting = Array.from({ length: REQUESTS }, async () => {
          const { status } = await app.request(path, { method: 'POST' });
          order.push('waited');
          return status;
        });
        await delay(300);
        const key = await createApiKey(app);
        for (let count = 0; count < QUESTIONS; count += 1) {
          const answers = await Promise.all([
            app.request('/v1/pets'),
            app.request('/v1/pets', { key }),
            app.request('/health/ready'),
          ]);
          order.push(...answers.map(({ ok }) => (ok ? 'served' : 'failed')));
        }
        await holder.query(`select pg_advisory_unlock(${LOCK})`);
        const statuses = await Promise.all(waiting);
        expect(order.slice(0, 3 * QUESTIONS)).toEqual(Array.from({ length: 3 * QUESTIONS }, () => 'served'));
        // A request that did not get the lock in time was answered with 503.
        expect(new Set(statuses)).toEqual(new Set(statuses.filter((status) => status === 201 || status === 503)));
      });
    },
  );

  test.each(['unit of work', 'em.transactional'])(
    'its own reads by the entity manager are served before any of it: %s',
    async (way) => {
      await withClient(app.database.url, async (holder) => {
        await holder.query(`select pg_advisory_lock(${LOCK})`);
        const order: string[] = [];
        const waiting = Array.from({ length: REQUESTS }, async () => {
          await app.request(`/v1/locks?way=${encodeURIComponent(way)}`, { method: 'POST' });
          order.push('waited');
        });
        await delay(300);
        for (let count = 0; count < QUESTIONS; count += 1) {
          const answers = await Promise.all([app.request('/v1/locks'), app.request('/v1/locks')]);
          order.push(...answers.map(({ ok }) => (ok ? 'served' : 'failed')));
        }
        await holder.query(`select pg_advisory_unlock(${LOCK})`);
        await Promise.all(waiting);
        expect(order.slice(0, 2 * QUESTIONS)).toEqual(Array.from({ length: 2 * QUESTIONS }, () => 'served'));
      });
    },
  );
});
