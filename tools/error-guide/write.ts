import { writeFileSync } from 'node:fs';
import { errorsPage } from './page.ts';

/** Writes the page about errors of the guide for consumers anew, from the table of codes and what is said of each. */
writeFileSync('docs/api/errors.md', errorsPage());
console.log('Wrote docs/api/errors.md');
