import { READ_LIMITS, WRITE_LIMITS, type BatchingLimits } from '../../libs/persistence/src/batching/batching-limits.js';
import { createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { useApp } from '../support/running-app.js';
import { whilePetsAreLocked } from '../support/database-client.js';

/** One statement at a time: a second one would take calls from the full queue at a moment that no test can know. */
const SMALL = { maxBatch: 5, maxInFlight: 1, maxQueue: 10 };
/** The maximum number of requests that run or wait: a batch and a queue. */
const CAPACITY = SMALL.maxBatch + SMALL.maxQueue;
const FLOOD = 2 * CAPACITY;
const LATE = 20;

/** Makes the queues as small as the tests need, for the applications that start afterwards. */
function useSmallQueues(): void {
  const limits: BatchingLimits[] = [READ_LIMITS, WRITE_LIMITS];
  const before = limits.map((limit) => ({ ...limit }));
  beforeAll(() => {
    for (const limit of limits) Object.assign(limit, SMALL);
  });
  afterAll(() => {
    limits.forEach((limit, index) => Object.assign(limit, before[index]));
  });
}

describe('while a lock holds the pets, and more requests came than may wait,', () => {
  useSmallQueues();
  const app = useApp(createMigratedDatabase);

  beforeAll(async () => {
    await app.createPet({ name: 'Rex', categoryId: 7 });
  });

  const OPERATIONS: [string, number, () => Promise<Response>][] = [
    ['listPets', 200, () => app.request('/v1/pets')],
    ['getPet', 200, () => app.request('/v1/pets/1')],
    ['createPet', 201, () => app.createPet({ name: 'Rex', categoryId: 7 })],
  ];

  /** Sends requests that cannot be served yet, until the queue is full. Then runs the work, and releases the lock on the pets. */
  async function whileOverloaded<Result>(
    send: (number: number) => Promise<Response>,
    work: () => Promise<Result>,
  ): Promise<{ result: Result; flood: Response[] }> {
    const { result, waves } = await whilePetsAreLocked(app.database.url, async () => {
      // The requests of one turn of the event loop may wait and leave the queue together. The second wave then fills the queue.
      const waves = [await wave(0, send), await wave(FLOOD, send)];
      return { result: await work(), waves };
    });
    return { result, flood: await Promise.all(waves.flatMap(({ answers }) => answers)) };
  }

  /** Resolves when the expected number of requests has been refused. */
  async function wave(first: number, send: (number: number) => Promise<Response>) {
    const refused = Promise.withResolvers<undefined>();
    let refusals = 0;
    const answers = Array.from({ length: FLOOD }, async (_, n) => {
      const answer = await send(first + n);
      if (answer.status === 503 && ++refusals === FLOOD - CAPACITY) refused.resolve(undefined);
      return answer;
    });
    await refused.promise;
    return { answers };
  }

  test.each(OPERATIONS)(
    '%s answers 503 at once, and those that wait are served when the lock goes',
    async (_name, success, send) => {
      const { result: late, flood } = await whileOverloaded(send, async () => {
        // Answered while the lock is still held, so none of them waits for it.
        const answers: Response[] = [];
        for (let n = 0; n < LATE; n++) answers.push(await send());
        return answers;
      });

      for (const answer of late) {
        expect(await readError(answer)).toEqual({
          code: 'service_unavailable',
          message: 'The service is overloaded at the moment: try again later',
          status: 503,
        });
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
      }
      const served = flood.filter(({ status }) => status === success).length;
      expect(flood.filter(({ status }) => status === 503)).toHaveLength(2 * FLOOD - served);
      expect(served).toBeGreaterThan(SMALL.maxQueue);
      expect(served).toBeLessThanOrEqual(CAPACITY);
    },
  );

  test('what needs no pet is answered as ever', async () => {
    const { result } = await whileOverloaded(
      () => app.request('/v1/pets'),
      () => Promise.all(['/health/live', '/health/ready', '/v1/nope'].map((path) => app.request(path))),
    );
    expect(result.map(({ status }) => status)).toEqual([200, 200, 404]);
  });
});
