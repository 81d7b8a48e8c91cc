/** A private part of a library that an accelerator needs is missing or has changed. */
export class MissingPartError extends Error {
  constructor(part: string) {
    super(`${part} is not what it was`);
  }
}
