/** Keeps what was measured in `bench/results/`, so that nothing is lost when a later section fails. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';

export const RESULTS_FOLDER = fileURLToPath(new URL('results', import.meta.url));

/**
 * The sections of a full run are kept one by one: to measure one again leaves the others as they are, each with
 * its own date. So is growth for each kind of PostgreSQL: `growth` holds one section for each, by its name. Any other run
 * starts from nothing.
 */
export function openResults({ subject, isFullRun }) {
  mkdirSync(RESULTS_FOLDER, { recursive: true });
  const file = join(RESULTS_FOLDER, isFullRun ? 'full.json' : 'partial.json');
  const results = { subject, sections: isFullRun ? readSections(file) : {} };
  return {
    ...results,
    keep(section, { seconds, pairs, postgres }, data) {
      const kept = { measuredAt: new Date().toISOString(), seconds, pairs, postgres: postgres.name, data };
      const { sections } = results;
      sections[section] = section === 'growth' ? { ...sections.growth, [postgres.name]: kept } : kept;
      writeFileSync(file, JSON.stringify(results, undefined, 2));
    },
  };
}

function readSections(file) {
  try {
    const { sections } = JSON.parse(readFileSync(file, 'utf8'));
    // Kept before there was one for each PostgreSQL.
    if (sections.growth?.measuredAt !== undefined) delete sections.growth;
    return sections;
  } catch {
    return {};
  }
}
