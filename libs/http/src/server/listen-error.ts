/** The service cannot listen at the configured address. */
export class ListenError extends Error {
  /** @param mayPass whether the same settings may work later */
  constructor(
    message: string,
    readonly mayPass: boolean,
    options: ErrorOptions,
  ) {
    super(message, options);
  }
}
