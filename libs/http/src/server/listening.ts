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
  address: { readonly host: string; readonly port: number },
): Promise<void> {
  try {
    await work;
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    const sentence = SENTENCES[error.code ?? '']?.(error, settings, address);
    throw sentence === undefined ? cause : new ListenError(sentence, error.code === 'EADDRINUSE', { cause });
  }
}

type Sentence = (error: NodeJS.ErrnoException, settings: ListenSettings, at: { host: string; port: number }) => string;

/** What is wrong with the address, and what to change, by the code of the error. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  EADDRINUSE: (_error, settings, { host, port }) =>
    `Port ${port} of ${host} is taken. Stop what listens there, or choose another port with ${settings.port}.`,
  EACCES: (_error, settings, { port }) =>
    `This user may not listen on port ${port}. Choose another one with ${settings.port}, such as one above 1023.`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
  EAFNOSUPPORT: noAddress,
};

function noAddress({ code }: NodeJS.ErrnoException, settings: ListenSettings, { host }: { host: string }): string {
  return `${host} is no address of this machine (${code}). Choose another with ${settings.host}, such as 127.0.0.1 or 0.0.0.0.`;
}
