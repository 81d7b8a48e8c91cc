import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The folder of the recorded proofs, one file per promise. */
export const PROOFS_FOLDER = join(ROOT, 'docs/reliability');

/** What a check records about a promise that holds. */
export interface Proof {
  /** What the service promises, in a sentence without its full stop. */
  readonly promise: string;
  /** What the check does to break the promise. */
  readonly trial: string;
  /** The command that repeats the check, written as in the README. */
  readonly command: string;
  /** The results as counts that every run has, and the seed if the run has one. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** The versions of the other programs that took part, by name, such as PostgreSQL and Patroni. Node is added. */
  readonly versions?: Readonly<Record<string, string>>;
}

/** A proof as it is stored. */
export interface RecordedProof extends Proof {
  readonly date: string;
  readonly commit: string;
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Stores the result of a check for docs/reliability.md. Call it at the end of a check, after the last assertion: then a
 * failed check does not change the previous proof. Nothing is written unless `RECORD_PROOFS=1`.
 *
 * @param id the name of the file, one for each promise and kind of trial; spaces become hyphens
 */
export function recordProof(id: string, proof: Proof): void {
  if (process.env['RECORD_PROOFS'] !== '1') return;
  const recorded: RecordedProof = {
    ...proof,
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim(),
    versions: { node: process.versions.node, ...proof.versions },
  };
  mkdirSync(PROOFS_FOLDER, { recursive: true });
  const name = id.toLowerCase().replaceAll(' ', '-');
  writeFileSync(join(PROOFS_FOLDER, `${name}.json`), `${JSON.stringify(recorded, null, 2)}\n`);
}
