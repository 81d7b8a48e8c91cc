/** The text is not a valid duration or date. The message says in a sentence what is valid. */
export class LifetimeError extends Error {}
