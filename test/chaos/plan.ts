import { SeededRandom } from '../support/seeded-random.js';

/** What a fault is done to: two at a time are never done to the same. */
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

/** One step in so many has two faults. */
const PAIR_IN = 4;

/**
 * The faults of a run, without end: again and again each of them once, in an order that the seed decides, as it does everything else that
 * is chosen. A second fault beside one comes on top, so that each is there alone too.
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

/** A revocation cannot be learned of while the database is away, and must be, while anything else goes wrong. */
function mayMeet(one: Subject, other: Subject): boolean {
  const subjects = new Set([one, other]);
  return subjects.size === 2 && !(subjects.has('keys') && subjects.has('database'));
}
