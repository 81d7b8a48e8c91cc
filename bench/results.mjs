/** Keeps what was measured in `bench/results/`, so that nothing is lost when a later section fails. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const RESULTS_FOLDER = fileURLToPath(new URL('results', import.meta.url));

/**
 * The sections of a full run are kept one by one: to measure one again leaves the others as they are, each with
 * its own date. Any other run starts from nothing.
 */
export function openResults({ subject, isFullRun }) {
  mkdirSync(RESULTS_FOLDER, { recursive: true });
  const file = join(RESULTS_FOLDER, isFullRun ? 'full.json' : 'partial.json');
  const results = { subject, sections: isFullRun ? readSections(file) : {} };
  return {
    ...results,
    keep(section, { seconds, pairs }, data) {
      results.sections[section] = { measuredAt: new Date().toISOString(), seconds, pairs, data };
      writeFileSync(file, JSON.stringify(results, undefined, 2));
    },
  };
}

function readSections(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).sections;
  } catch {
    return {};
  }
}
