import { hostname, userInfo } from 'node:os';
import { InvalidArgumentError, Option } from 'commander';
import { API_KEY_PREFIX, holdsApiKey } from '@animal-store/auth';
import { parseExpiresAt } from './key-expiry-date.js';
import { parseExpiresIn } from './key-lifetime.js';
import { LifetimeError } from './lifetime.error.js';

/** Names appear in logs and in the labels of metrics. `bootstrap` is the name of the key of the environment there. */
const NAME = /^(?!bootstrap$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function prefixOption(): Option {
  return new Option(
    '--prefix <prefix>',
    'what the key begins with (default: API_KEY_PREFIX, else aslive, astest or asdev, by NODE_ENV)',
  ).argParser((text) => {
    if (API_KEY_PREFIX.test(text)) return text;
    throw new InvalidArgumentError('A lower-case letter, then 1 to 15 lower-case letters and digits are expected.');
  });
}

export function expiresInOption(fallback: string): Option {
  return new Option('--expires-in <duration>', `when the key ends, such as 90d, or never (default: ${fallback})`)
    .argParser(orInvalidArgument((text) => parseExpiresIn(text, new Date())))
    .conflicts('expiresAt');
}

export function expiresAtOption(): Option {
  return new Option('--expires-at <date>', 'the same as a date (midnight UTC), or a time with its offset').argParser(
    orInvalidArgument((text) => parseExpiresAt(text, new Date())),
  );
}

export function actorOption(): Option {
  return new Option('--actor <who>', 'who asks for it, for the audit')
    .argParser((text) => {
      if (/^[^\p{Cc}]{1,255}$/u.test(text) && !holdsApiKey(text)) return text;
      throw new InvalidArgumentError('1 to 255 characters that are no key are expected.');
    })
    .default(osUser(), 'the user of the operating system');
}

export function parseName(text: string): string {
  if (NAME.test(text) && !holdsApiKey(text)) return text;
  throw new InvalidArgumentError(
    '1 to 64 letters, digits and . _ - are expected, a letter or digit first; no key, nor the word bootstrap.',
  );
}

export function parseKnownName(text: string): string {
  if (!holdsApiKey(text)) return text;
  throw new InvalidArgumentError('The name of a key is expected, and not the key.');
}

export function parseId(text: string): bigint {
  if (/^[1-9][0-9]{0,17}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError('The id of a key is expected, such as 17.');
}

export function parseCount(text: string): number {
  if (/^[1-9][0-9]{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A number between 1 and 9999 is expected.');
}

/** Lets Commander report an invalid lifetime. */
export function orInvalidArgument<Value>(parse: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw error instanceof LifetimeError ? new InvalidArgumentError(error.message) : error;
    }
  };
}

/** In a container, the user may have a number and no name. */
function osUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}@${hostname()}`;
  }
}
