import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const RUNBOOK = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');

/** The blocks of SQL in a section of the runbook, in order. */
export function queriesOf(section: string): string[] {
  const [, text] = RUNBOOK.split(`\n## ${section}\n`);
  const [own = ''] = (text ?? '').split('\n## ');
  return [...own.matchAll(/```sql\n(?<sql>[^`]*)```/g)].map(([, sql]) => sql!);
}

/** The titles of all sections with blocks of SQL. */
export function sectionsWithQueries(): string[] {
  const titles = [...RUNBOOK.matchAll(/^## (?<title>.+)$/gm)].map(([, title]) => title!);
  return titles.filter((title) => queriesOf(title).length > 0);
}
