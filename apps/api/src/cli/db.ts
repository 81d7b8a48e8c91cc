import { databaseProgram } from './db-program.js';
import { programEnvironment, runProgram } from './program.js';

const program = databaseProgram({
  environment: programEnvironment,
  tell: (sentence) => {
    console.error(sentence);
  },
});
await runProgram(program, 'db:');
