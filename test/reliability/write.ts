import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { readProofs, readRuns } from './kept-proofs.ts';
import { reliabilityPage } from './page.ts';

export const PAGE = join(import.meta.dirname, '../../docs/reliability.md');

/** The text of docs/reliability.md, from the stored results. */
export async function makePage(): Promise<string> {
  const options = await resolveConfig(PAGE);
  return await format(reliabilityPage(readProofs(), readRuns()), { ...options, filepath: PAGE });
}

/** Writes docs/reliability.md again. */
export async function writePage(): Promise<void> {
  writeFileSync(PAGE, await makePage());
}
