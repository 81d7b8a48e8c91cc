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

/** The names of the settings for the address, such as `PORT`. */
export interface ListenSettings {
  readonly port: string;
  readonly host: string;
}

/**
 * Waits until the server listens.
 *
 * @param settings the settings that change the address
 * @throws ListenError that names them
 */
export async function listening(
  work: Promise<unknown>,
  settings: ListenSettings,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  try {
    await work;
  } catch (cause) {
    const { code, message, syscall } = cause as NodeJS.ErrnoException;
    // Of the address itself: `app.listen` fails for other reasons too.
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw cause;
    const sentence =
      `The service cannot listen on port ${port} of ${host} (${message}). ` +
      `Choose another address with ${settings.host} and ${settings.port}.`;
    throw new ListenError(sentence, code === 'EADDRINUSE', { cause });
  }
}
