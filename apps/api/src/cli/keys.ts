import { administerApiKeys } from './administer-api-keys.js';
import { keysProgram } from './keys-program.js';
import { programEnvironment, runProgram } from './program.js';

const program = keysProgram({
  administer: (work) => {
    const environment = programEnvironment();
    const { DATABASE_URL: url, DATA_DIR: folder } = environment;
    if (url === undefined) {
      console.error(`Using the embedded database in ${folder}. While the service runs on it, this command is refused:`);
      console.error(`use the key that the service printed when it started, also kept in ${folder}/development-api-key`);
    }
    return administerApiKeys(environment, work);
  },
  print: (text) => process.stdout.write(text.endsWith('\n') ? text : `${text}\n`),
  writeErr: (text) => process.stderr.write(text),
});
await runProgram(program, 'keys:');
