import { administerApiKeys } from './administer-api-keys.js';
import { keysProgram } from './keys-program.js';
import { programEnvironment, runProgram } from './program.js';

const program = keysProgram({
  administer: (work) => {
    const environment = programEnvironment();
    if (environment.DATABASE_URL === undefined) console.error(`Using the embedded database in ${environment.DATA_DIR}`);
    return administerApiKeys(environment, work);
  },
  print: (text) => process.stdout.write(text.endsWith('\n') ? text : `${text}\n`),
  writeErr: (text) => process.stderr.write(text),
});
await runProgram(program, 'keys:');
