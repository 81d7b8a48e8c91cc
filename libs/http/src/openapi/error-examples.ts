import type { ErrorCodeEntry } from '../errors/error-codes.js';
import { BASE_MESSAGES, type Messages } from './base-messages.js';

/** For a body that is not read: the server only refuses invalid framing. */
export const UNREAD_BODY: Messages = { payload_too_large: 'The chunk extensions of the body are too large' };

/** The default message of an error code. */
export function usualMessages(code: string, { example, meaning }: ErrorCodeEntry): Messages {
  return (
    (BASE_MESSAGES as Readonly<Record<string, Messages>>)[code] ?? { [code]: example ?? meaning.replaceAll('`', '') }
  );
}
