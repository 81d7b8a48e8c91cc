/** Stores the results in `bench/results/` after each section, so that they are not lost if a later section fails. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';

export const RESULTS_FOLDER = fileURLToPath(new URL('results', import.meta.url));

/**
 * The sections of a full run are stored separately: if one section is measured again, the others stay unchanged, each with
 * its own date. The same applies to growth and PostgreSQL: `growth` holds one section for each kind of PostgreSQL, by name.
 * Every other run starts without sections.
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
    // An old file holds one growth section, not one for each kind of PostgreSQL.
    if (sections.growth?.measuredAt !== undefined) delete sections.growth;
    return sections;
  } catch {
    return {};
  }
}
