import { hostname, userInfo } from 'node:os';
import { InvalidArgumentError, Option } from 'commander';
import { holdsApiKey } from '@animal-store/auth';

/** Names appear in logs and in the labels of metrics. `bootstrap` is the name of the key of the environment there. */
const NAME = /^(?!bootstrap$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** The longest lifetime of a key. A key without an end is created with `never`. */
const MAX_DURATION_MS = 100 * 365 * UNIT_MS.d;

const DURATION = /^(?<amount>[0-9]{1,12})(?<unit>[smhdw])$/;

export function expiresInOption(fallback: string): Option {
  return new Option(
    '--expires-in <duration>',
    `when the key ends, such as 90d, or never (default: ${fallback})`,
  ).argParser((text) => parseExpiresIn(text, new Date()));
}

export function actorOption(): Option {
  return new Option('--actor <who>', 'who asks for it, for the audit')
    .argParser((text) => {
      if (/^[^\p{Cc}]{1,255}$/u.test(text) && !holdsApiKey(text)) return text;
      throw new InvalidArgumentError('1 to 255 characters that are no key are expected.');
    })
    .default(osUser(), 'the user of the operating system');
}

/** The name of a new key. */
export function parseName(text: string): string {
  if (NAME.test(text) && !holdsApiKey(text)) return text;
  throw new InvalidArgumentError(
    '1 to 64 letters, digits and . _ - are expected, a letter or digit first; no key, nor the word bootstrap.',
  );
}

/** The name of keys that may be older than the rules for names. */
export function parseKnownName(text: string): string {
  if (!holdsApiKey(text)) return text;
  throw new InvalidArgumentError('The name of a key is expected, and not the key.');
}

export function parseId(text: string): bigint {
  if (/^[1-9][0-9]{0,17}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError('The id of a key is expected, such as 17.');
}

/** A duration such as `90s`, `30m`, `24h`, `90d` or `12w`, in milliseconds; at most 100 years. */
export function parseDuration(text: string): number {
  const { amount, unit } = DURATION.exec(text)?.groups ?? {};
  if (amount === undefined || unit === undefined)
    throw new InvalidArgumentError('A number and a unit (s, m, h, d or w) are expected, such as 30m, 24h or 90d.');
  const duration = Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (duration > MAX_DURATION_MS) throw new InvalidArgumentError('At most 100 years (36500d) are possible.');
  return duration;
}

/** The time {@link parseDuration} after `now`; the duration must be positive. `null` for `never`. */
export function parseExpiresIn(text: string, now: Date): Date | null {
  if (text === 'never') return null;
  const duration = parseDuration(text);
  if (duration === 0) throw new InvalidArgumentError('More than nothing is expected, such as 24h, or never.');
  return new Date(now.getTime() + duration);
}

/** In a container, the user may have a number and no name. */
function osUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}@${hostname()}`;
  }
}
