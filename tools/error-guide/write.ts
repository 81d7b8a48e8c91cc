import { writeFileSync } from 'node:fs';
import { errorsPage } from './page.ts';

/** Writes the guide's page about errors from the table of error codes and the advice for each code. */
writeFileSync('docs/api/errors.md', errorsPage());
console.log('Wrote docs/api/errors.md');
