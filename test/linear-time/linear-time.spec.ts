import { endlessTexts, HEADER_BYTES, hostileBodies, hostileOrders } from './hostile-texts.js';
import { HEADER_READERS, readCreatePet, readOrder } from './request-readers.js';

/**
 * Longer than every text takes on a busy machine, and shorter than the time of a quadratic algorithm. On an idle
 * machine, every text here takes less than 50 ms at its real size.
 */
const BOUND_MS = 250;

/** The tested header fields are this many times larger than possible: a quadratic algorithm takes 16 times as long. */
const ENLARGED = 4;

/** A linear algorithm never takes so long, however busy the machine is. */
const HOPELESS_MS = 2_000;

/** The CPU time of this thread, in milliseconds. Unlike the time of a clock, it does not grow with the load of the machine. */
function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The shortest CPU time of a few attempts, because one of them may include the work of the garbage collector. */
async function millisecondsOf(read: () => unknown): Promise<number> {
  let shortest = Infinity;
  let last = 0;
  for (let attempt = 0; attempt < 3 && shortest > BOUND_MS && last < HOPELESS_MS; attempt += 1) {
    const begin = cpuMilliseconds();
    try {
      await read();
    } catch {
      // A rejection is also a valid result.
    }
    last = cpuMilliseconds() - begin;
    shortest = Math.min(shortest, last);
  }
  return shortest;
}

describe('the time that it takes to read', () => {
  test.each(HEADER_READERS.map((reader): [string, typeof reader] => [reader.what, reader]))(
    '%s grows no faster than its length',
    async (_what, { beginnings, read }) => {
      let slow: string | undefined;
      for (const text of endlessTexts(beginnings, ENLARGED * HEADER_BYTES)) {
        const milliseconds = await millisecondsOf(() => read(text));
        if (milliseconds <= BOUND_MS) continue;
        slow = `${milliseconds.toFixed()} ms: ${text.slice(0, 50)}`;
        break;
      }
      expect(slow).toBeUndefined();
    },
  );

  test.each([...hostileBodies()])('a body full of %s is short', async (_what, text) => {
    const bytes = Buffer.from(text);
    expect(await millisecondsOf(() => readCreatePet(bytes))).toBeLessThan(BOUND_MS);
  });

  test.each([...hostileOrders()])('an order full of %s is short', async (_what, text) => {
    const bytes = Buffer.from(text);
    expect(await millisecondsOf(() => readOrder(bytes))).toBeLessThan(BOUND_MS);
  });
});

test.each([...hostileOrders()])('what is told of a body full of %s is short', async (_what, text) => {
  let told = '';
  try {
    await readOrder(Buffer.from(text));
  } catch (error) {
    told = JSON.stringify((error as Error).message);
  }
  expect(Buffer.byteLength(told)).toBeLessThan(8_000);
});
