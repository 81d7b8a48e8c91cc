import { planOf } from './plan.js';

const FAULTS = [
  { name: 'kill', subject: 'instances' },
  { name: 'deploy', subject: 'instances' },
  { name: 'restart', subject: 'database' },
  { name: 'revocation', subject: 'keys' },
] as const;

function beginning(seed: number, steps: number) {
  const plan = planOf(FAULTS, seed);
  return Array.from({ length: steps }, () => plan.next().value);
}

test('a plan is the same for the same seed, and another one for another', () => {
  expect(beginning(42, 50)).toEqual(beginning(42, 50));
  expect(beginning(42, 50)).not.toEqual(beginning(43, 50));
});

test('a plan has every fault once before any comes again', () => {
  for (const from of [0, 4, 8]) {
    const names = beginning(7, 12)
      .slice(from, from + 4)
      .map(({ faults }) => faults[0]!.fault.name);
    expect(names.toSorted()).toEqual(FAULTS.map(({ name }) => name).toSorted());
  }
});

test('a plan has two faults at a time now and then, never of one subject, and no revocation without a database', () => {
  const pairs = beginning(1, 400)
    .map(({ faults }) =>
      faults
        .map(({ fault }) => fault.subject)
        .toSorted()
        .join(),
    )
    .filter((subjects) => subjects.includes(','));
  expect([...new Set(pairs)].toSorted()).toEqual(['database,instances', 'instances,keys']);
});
