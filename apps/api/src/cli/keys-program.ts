import { hostname, userInfo } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  API_KEY_SCOPE,
  ApiKey,
  generateApiKey,
  hashApiKey,
  hideApiKeys,
  hintOfApiKey,
  holdsApiKey,
  type ApiKeyAdministration,
} from '@animal-store/auth';

/** Names appear in logs and in the labels of metrics. `bootstrap` is the name of the key of the environment there. */
const NAME = /^(?!bootstrap$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** The longest lifetime of a key. A key without an end is created with `never`. */
const MAX_DURATION_MS = 100 * 365 * UNIT_MS.d;

const DURATION = /^(?<amount>[0-9]{1,12})(?<unit>[smhdw])$/;

/** The dependencies of the program. */
export interface KeysHost {
  /** Runs one command on the keys of the database. */
  readonly administer: (work: Work) => Promise<Report>;
  readonly print: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

/** @param prefix the prefix of the new keys of the database */
export type Work = (keys: ApiKeyAdministration, prefix: string) => Promise<Report>;

/** The output of a command: a text for people, and the same data for programs with `--json`, where ids are strings. */
export interface Report {
  readonly text: string;
  readonly json: unknown;
}

interface Options {
  readonly name: string;
  readonly expiresIn?: Date | null;
  readonly scope?: readonly string[];
  readonly grace: number;
  readonly id?: bigint;
  readonly actor: string;
  readonly json?: true;
}

/** The subcommands of `keys`. Invalid arguments are reported to `writeErr`, and thrown as a CommanderError. */
export function keysProgram(host: KeysHost): Command {
  const run = async ({ json }: Options, work: Work): Promise<void> => {
    const report = await host.administer(work);
    host.print(json === true ? JSON.stringify(report.json, null, 2) : report.text);
  };
  const newKey = ({ expiresIn, scope }: Options, name: string, prefix: string): { key: string; stored: ApiKey } => {
    const key = generateApiKey(prefix);
    return { key, stored: new ApiKey(name, hashApiKey(key), expiresIn ?? undefined, hintOfApiKey(key), scope) };
  };

  const program = new Command('keys')
    .description(
      'Manages the API keys in the database at DATABASE_URL, or in the embedded database in DATA_DIR if it is not set.',
    )
    .configureOutput({
      writeOut: host.print,
      writeErr: (text) => {
        host.writeErr(hideApiKeys(text));
      },
    })
    .exitOverride()
    .showHelpAfterError('Use one of the commands create, list, rotate and revoke. See --help.');

  subcommand('create', 'creates a key and prints it; it cannot be shown again')
    .addOption(
      new Option('--name <name>', 'the name of the client that gets the key')
        .argParser(parseName)
        .makeOptionMandatory(),
    )
    .addOption(expiresInOption('never'))
    .addOption(scopeOption('none: it may do everything'))
    .addOption(actorOption())
    .action((options: Options) => {
      return run(options, async (keys, prefix) => {
        const { key, stored } = newKey(options, options.name, prefix);
        const created = await keys.create(stored, options.actor);
        return { text: textOfNew('Created', created, key), json: { ...fieldsOf(created), key } };
      });
    });

  subcommand('list', 'lists all keys, also expired and revoked ones, without the keys themselves').action(
    (options: Options) =>
      run(options, async (keys) => {
        const all = (await keys.list()).map(fieldsOf);
        return { text: table(all, 'There are no keys yet. Create one with: keys create --name <name>'), json: all };
      }),
  );

  subcommand('rotate', 'creates a new key for a name; the old key stays valid for the grace period')
    .argument('<name>', 'the name of a valid key', parseKnownName)
    .addOption(
      new Option('--grace <duration>', 'how long the old key stays valid at most, such as 24h; 0s: it expires now')
        .argParser(parseDuration)
        .default(parseDuration('24h'), '24h'),
    )
    .addOption(expiresInOption('the lifetime of the old key'))
    .addOption(scopeOption('the scopes of the old key'))
    .addOption(actorOption())
    .action((name: string, options: Options) => {
      return run(options, async (keys, prefix) => {
        const { key, stored } = newKey(options, name, prefix);
        const { grace, actor, expiresIn } = options;
        const { created, replaced } = await keys.rotate(stored, grace, actor, expiresIn !== null);
        const ends = replaced.map((old) => `The key ${nameOf(old)} expires ${endOf(old)}.`);
        return {
          text: [textOfNew('Rotated', created, key), ...ends].join('\n'),
          json: { ...fieldsOf(created), key, replaced: replaced.map(fieldsOf) },
        };
      });
    });

  const revoke = subcommand(
    'revoke',
    'revokes all valid keys with a name, or one key; every instance refuses them within a second',
  )
    .argument('[name]', 'the name of the keys', parseKnownName)
    .addOption(new Option('--id <id>', 'the id of one key, from the list').argParser(parseId))
    .addOption(actorOption())
    .action((name: string | undefined, options: Options) => {
      const { id, actor } = options;
      if ((name === undefined) === (id === undefined)) revoke.error('error: give either a name or --id');
      const which = id === undefined ? { name: name ?? '' } : { id };
      return run(options, async (keys) => {
        const revoked = await keys.revoke(which, actor);
        const lines = revoked.map((key) => `Revoked ${nameOf(key)}. Every instance refuses it within a second.`);
        return {
          text: lines.join('\n') || 'Nothing to revoke: the key was already revoked or expired.',
          json: { revoked: revoked.map(fieldsOf) },
        };
      });
    });

  return program;

  function subcommand(name: string, description: string): Command {
    return program
      .command(name)
      .description(description)
      .option('--json', 'print JSON')
      .showHelpAfterError(`See keys ${name} --help.`);
  }
}

function fieldsOf(key: ApiKey) {
  return {
    id: key.id.toString(),
    name: key.name,
    hint: key.hint ?? null,
    state: key.stateAt(new Date()),
    scopes: key.scopes?.join(' ') ?? null,
    createdAt: key.createdAt,
    expiresAt: key.expiresAt ?? null,
    revokedAt: key.revokedAt ?? null,
    lastUsedAt: key.lastUsedAt ?? null,
  };
}

function textOfNew(done: string, created: ApiKey, key: string): string {
  return `${done} ${nameOf(created)}; it expires ${endOf(created)}. Keep the key: it cannot be shown again.\n${key}`;
}

function nameOf({ id, name }: ApiKey): string {
  return `${JSON.stringify(name)} (id ${id})`;
}

function endOf({ expiresAt }: ApiKey): string {
  return expiresAt?.toISOString() ?? 'never';
}

/** A line of names and a line for each row, with a tabulator between the columns; `-` is a field without a value. */
function table(rows: readonly ReturnType<typeof fieldsOf>[], nothing: string): string {
  const [first] = rows;
  if (first === undefined) return nothing;
  return [Object.keys(first), ...rows.map((row) => Object.values(row).map(cell))]
    .map((cells) => cells.join('\t'))
    .join('\n');
}

function cell(value: string | Date | null): string {
  return value instanceof Date ? value.toISOString() : (value ?? '-');
}

function expiresInOption(fallback: string): Option {
  return new Option(
    '--expires-in <duration>',
    `when the key expires, such as 90d, or never (default: ${fallback})`,
  ).argParser((text) => parseExpiresIn(text, new Date()));
}

function scopeOption(fallback: string): Option {
  return new Option(
    '--scope <scope>',
    `what the key may do, such as pets:read; can be repeated (default: ${fallback}). A scope limits only routes that declare one`,
  ).argParser((text, scopes: readonly string[] | undefined) => [...new Set([...(scopes ?? []), parseScope(text)])]);
}

function parseScope(text: string): string {
  if (API_KEY_SCOPE.test(text) && !holdsApiKey(text)) return text;
  throw new InvalidArgumentError('Use lower-case words separated by colons, such as pets:read.');
}

function actorOption(): Option {
  return new Option('--actor <who>', 'who makes the change, for the audit')
    .argParser((text) => {
      if (/^[^\p{Cc}]{1,255}$/u.test(text) && !holdsApiKey(text)) return text;
      throw new InvalidArgumentError('Use 1 to 255 characters, and not a key.');
    })
    .default(osUser(), 'the user of the operating system');
}

/** The name of a new key. */
function parseName(text: string): string {
  if (NAME.test(text) && !holdsApiKey(text)) return text;
  throw new InvalidArgumentError(
    'Use 1 to 64 letters, digits, and . _ - with a letter or digit first; not a key, and not the word bootstrap.',
  );
}

/** The name of keys that may be older than the rules for names. */
function parseKnownName(text: string): string {
  if (!holdsApiKey(text)) return text;
  throw new InvalidArgumentError('Give the name of a key, and not the key.');
}

function parseId(text: string): bigint {
  if (/^[1-9][0-9]{0,17}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError('Give the id of a key, such as 17.');
}

/** A duration such as `90s`, `30m`, `24h`, `90d` or `12w`, in milliseconds; at most 100 years. */
export function parseDuration(text: string): number {
  const { amount, unit } = DURATION.exec(text)?.groups ?? {};
  if (amount === undefined || unit === undefined)
    throw new InvalidArgumentError('Use a number and a unit (s, m, h, d or w), such as 30m, 24h or 90d.');
  const duration = Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (duration > MAX_DURATION_MS) throw new InvalidArgumentError('Use at most 100 years (36500d).');
  return duration;
}

/** The time {@link parseDuration} after `now`; the duration must be positive. `null` for `never`. */
export function parseExpiresIn(text: string, now: Date): Date | null {
  if (text === 'never') return null;
  const duration = parseDuration(text);
  if (duration === 0) throw new InvalidArgumentError('Use a duration of more than zero, such as 24h, or never.');
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
