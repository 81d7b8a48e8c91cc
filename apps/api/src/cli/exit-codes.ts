/** What the server and the commands end with; those above 2 are of sysexits.h. */
export const EXIT = {
  done: 0,
  /** It was understood, and refused or failed. */
  failed: 1,
  /** The words of the command are wrong. */
  usage: 2,
  /** The database is away: the same command may succeed later. */
  unavailable: 69,
  /** The environment is wrong: starting again will not help. */
  configuration: 78,
} as const;
