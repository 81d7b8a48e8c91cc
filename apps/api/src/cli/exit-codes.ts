/** The exit codes of the server and the commands. Codes above 1 are those of sysexits.h. */
export const EXIT = {
  done: 0,
  /** The command was understood, but it was refused or failed. */
  failed: 1,
  /** The arguments of the command are wrong. */
  usage: 64,
  /** The database is not available, or its folder or a port is in use: the same command may succeed later. */
  unavailable: 69,
  /** The environment is wrong: another start does not help. */
  configuration: 78,
} as const;
