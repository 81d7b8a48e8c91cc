import { ListenError } from './listen-error.js';
import { LISTEN_SENTENCES, type ListenSettings } from './listen-sentences.js';

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
    const sentence = LISTEN_SENTENCES[error.code ?? '']?.(error, settings, address);
    throw sentence === undefined ? cause : new ListenError(sentence, error.code === 'EADDRINUSE', { cause });
  }
}
