import { SeededRandom } from '../support/seeded-random.js';

/** What a fault acts on. Two faults at a time never act on the same subject. */
export type Subject = 'instances' | 'database' | 'keys' | 'clocks';

interface Planned {
  readonly name: string;
  readonly subject: Subject;
}

/** Faults that begin at the same time, and the calm before them. */
export interface Step<Fault extends Planned> {
  readonly calmMs: number;
  readonly faults: readonly { readonly fault: Fault; readonly seed: number }[];
}

/** One of this many steps has two faults. */
const PAIR_IN = 4;

/**
 * The endless sequence of faults of a run. Each round contains every fault once, in an order that the seed decides. The seed also decides
 * every other choice. The second fault of a step is additional, so that each fault also occurs alone.
 */
export function* planOf<Fault extends Planned>(faults: readonly Fault[], seed: number): Generator<Step<Fault>, never> {
  const random = new SeededRandom(seed);
  for (;;) {
    for (const fault of random.shuffled(faults)) {
      const others = faults.filter(({ subject }) => mayMeet(subject, fault.subject));
      const together = random.integer(1, PAIR_IN) === 1 && others.length > 0 ? [fault, random.of(others)] : [fault];
      yield {
        calmMs: random.integer(500, 2_500),
        faults: together.map((each) => ({ fault: each, seed: random.integer(0, 2 ** 31) })),
      };
    }
  }
}

/** An instance cannot learn of a revocation while the database is unavailable. It must learn of it during every other fault. */
function mayMeet(one: Subject, other: Subject): boolean {
  const subjects = new Set([one, other]);
  return subjects.size === 2 && !(subjects.has('keys') && subjects.has('database'));
}
