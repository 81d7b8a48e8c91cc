import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Where what the checks found is kept, one file a promise. */
export const PROOFS_FOLDER = join(ROOT, 'docs/reliability');

/** What a check says of a promise that it holds. */
export interface Proof {
  /** What the service promises, in a sentence without its full stop. */
  readonly promise: string;
  /** What is done to break it. */
  readonly trial: string;
  /** The command that repeats it, as the README would have it. */
  readonly command: string;
  /** What came out, in counts: those of every run, and the seed where the run has one. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** What took part besides Node, by name: the version of PostgreSQL, of Patroni. */
  readonly versions?: Readonly<Record<string, string>>;
}

/** A proof as it is kept. */
export interface RecordedProof extends Proof {
  readonly date: string;
  readonly commit: string;
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Keeps what a check found, for docs/reliability.md. Call it at the end of a check, behind its last assertion: what failed
 * leaves the proof before it alone. Nothing is written unless `RECORD_PROOFS=1`.
 *
 * @param id the name of the file, one for each promise and way to try it; blanks become hyphens
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
