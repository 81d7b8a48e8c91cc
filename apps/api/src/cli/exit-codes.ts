/** What the server and the commands end with; those above 1 are of sysexits.h. */
export const EXIT = {
  done: 0,
  /** It was understood, and refused or failed. */
  failed: 1,
  /** The words of the command are wrong. */
  usage: 64,
  /** The database is away, its folder or a port is taken: the same command may succeed later. */
  unavailable: 69,
  /** The environment is wrong: starting again will not help. */
  configuration: 78,
} as const;

/** For the help of a command. */
export const EXIT_CODES = `Exit codes: ${EXIT.done} done, ${EXIT.failed} refused or failed, ${EXIT.usage} wrong words, ${EXIT.unavailable} the database is away, ${EXIT.configuration} the environment is wrong.`;
