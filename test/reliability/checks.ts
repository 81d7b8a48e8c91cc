/** A command that tests promises. */
export interface Check {
  /** The name on the command line. */
  readonly name: string;
  /** The arguments of npm. */
  readonly npm: readonly string[];
}

/** All commands that record proofs, in the order of a run. */
export const CHECKS: readonly Check[] = [
  { name: 'faults', npm: ['run', 'test:faults'] },
  { name: 'upgrade', npm: ['run', 'test:upgrade'] },
  { name: 'abuse', npm: ['run', 'test:abuse'] },
  { name: 'alerts', npm: ['run', 'test:alerts'] },
  { name: 'properties', npm: ['run', 'test:properties'] },
  { name: 'chaos', npm: ['run', 'test:chaos'] },
  { name: 'soak', npm: ['run', 'test:soak'] },
];
