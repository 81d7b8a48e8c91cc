import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROOFS_FOLDER, type RecordedProof } from '../support/proofs.ts';
import type { Run } from './page.ts';

const RUNS = join(PROOFS_FOLDER, 'runs.json');

/** The results of the checks, in the order of the file names. */
export function readProofs(): RecordedProof[] {
  return readdirSync(PROOFS_FOLDER)
    .filter((file) => file.endsWith('.json') && join(PROOFS_FOLDER, file) !== RUNS)
    .sort()
    .map((file) => JSON.parse(readFileSync(join(PROOFS_FOLDER, file), 'utf8')) as RecordedProof);
}

/** The result of the last run of each command. */
export function readRuns(): Run[] {
  return existsSync(RUNS) ? (JSON.parse(readFileSync(RUNS, 'utf8')) as Run[]) : [];
}

/** Stores the result of a command and replaces its previous result. */
export function keepRun(run: Run): void {
  mkdirSync(PROOFS_FOLDER, { recursive: true });
  const others = readRuns().filter(({ command }) => command !== run.command);
  const runs = [...others, run].sort((one, other) => (one.command < other.command ? -1 : 1));
  writeFileSync(RUNS, `${JSON.stringify(runs, null, 2)}\n`);
}
