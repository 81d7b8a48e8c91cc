/** The address is invalid. Each fault completes a sentence that begins with the name of the setting. */
export class InvalidDatabaseUrlError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The address of the database ${faults.join('; and it ')}`);
  }
}
