import { Console } from 'node:console';
import { hostname } from 'node:os';
import { NestFactory } from '@nestjs/core';
import { Command, InvalidArgumentError, Option } from 'commander';
import { API_KEY_SCOPE, ApiKeyAdministration, holdsApiKey, newApiKey, type ApiKey } from '@animal-store/auth';
import { DatabaseHealth, DatabaseModule } from '@animal-store/persistence';
import { ApiKeysPersistenceModule } from '@animal-store/persistence/api-keys';
import type { Environment } from '../settings.js';
import { programEnvironment, runProgram } from './program.js';

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** @param prefix of new keys */
type AdminTask<Result> = (keys: ApiKeyAdministration, prefix: string) => Promise<Result>;

interface KeyOptions {
  readonly name: string;
  readonly expiresIn?: Date;
  readonly scope?: readonly string[];
  readonly grace: number;
}

const NAME = new Option('--name <name>', 'the name of the client that gets the key')
  .makeOptionMandatory()
  // Names appear in logs and in the labels of metrics. `bootstrap` is the name of the key of the environment there.
  .argParser(
    matching(
      /^(?!bootstrap$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'Use 1 to 64 letters, digits, and . _ - with a letter or digit first; not a key, and not the word bootstrap.',
    ),
  );
const EXPIRES_IN = new Option('--expires-in <duration>', 'when the key expires, such as 90d').argParser(parseExpiresIn);
const SCOPE = new Option(
  '--scope <scope>',
  'what the key may do, such as pets:read; can be repeated. A scope limits only routes that declare one',
).argParser(addScope);
const GRACE = new Option('--grace <duration>', 'how long the old key stays valid at most')
  .argParser(parseDuration)
  .default(UNIT_MS.d, '24h');
/** Who makes the change, for the audit. In a container the user may have no name. */
const ACTOR = `${process.env['USER'] ?? `uid ${process.getuid?.()}`}@${hostname()}`;

/** @param administer runs the work of a command on the keys of the database */
export function keysProgram(administer: (work: AdminTask<void>) => Promise<void>): Command {
  const program = new Command('keys')
    .description(
      'Manages the API keys in the database at DATABASE_URL. If it is not set, in the embedded database in DATA_DIR, while no service runs on it.',
    )
    .showHelpAfterError('See --help.');

  program
    .command('create')
    .description('creates a key and prints it to the standard output; it cannot be shown again')
    .addOption(NAME)
    .addOption(EXPIRES_IN)
    .addOption(SCOPE)
    .action(({ name, expiresIn, scope }: KeyOptions) =>
      administer(async (keys, prefix) => {
        const { secret, stored } = newApiKey(prefix, name, expiresIn, scope);
        print([await keys.create(stored, ACTOR)], secret);
      }),
    );

  program
    .command('list')
    .description('lists all keys, also expired and revoked ones, without the keys themselves')
    .action(() =>
      administer(async (keys) => {
        print(await keys.list());
      }),
    );

  program
    .command('rotate <name>')
    .description('creates a new key for a name, with the lifetime and the scopes of the old one if none are given')
    .addOption(GRACE)
    .addOption(EXPIRES_IN)
    .addOption(SCOPE)
    .action((name: string, { grace, expiresIn, scope }: KeyOptions) =>
      administer(async (keys, prefix) => {
        const { secret, stored } = newApiKey(prefix, name, expiresIn, scope);
        const { created, replaced } = await keys.rotate(stored, grace, ACTOR);
        print([created, ...replaced], secret);
      }),
    );

  program
    .command('revoke <name>')
    .description('revokes all valid keys with a name; every instance refuses them within a second')
    .action((name: string) =>
      administer(async (keys) => {
        print(await keys.revoke(name, ACTOR));
      }),
    );

  return program;
}

/** Runs `work` on the keys of the database, without HTTP. Fails if a migration is pending. */
export async function administerApiKeys<Result>(
  { DATABASE_URL: url, DATA_DIR: dataDir, API_KEY_PREFIX }: Environment,
  work: AdminTask<Result>,
): Promise<Result> {
  const database = await DatabaseModule.forRoot({ url, dataDir, poolSize: 1 });
  const root = { module: class Keys {}, imports: [database, ApiKeysPersistenceModule] };
  const context = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  try {
    await context.get(DatabaseHealth, { strict: false }).checkNow();
    return await work(context.get(ApiKeyAdministration, { strict: false }), API_KEY_PREFIX);
  } finally {
    await context.close();
  }
}

/**
 * Prints a table of keys, without the keys themselves.
 *
 * @param secret a new key, which is shown this once: alone on the standard output, so that a script can take it from there
 */
function print(keys: readonly ApiKey[], secret?: string): void {
  if (secret !== undefined) {
    console.error('Keep this key: it cannot be shown again.');
    console.log(secret);
  }
  const rows = keys.map((key) => ({
    id: String(key.id),
    name: key.name,
    state: key.end ?? 'active',
    scopes: key.scopes?.join(' ') ?? '',
    expiresAt: key.expiresAt ?? '',
    lastUsedAt: key.lastUsedAt ?? '',
  }));
  const output = secret === undefined ? console : new Console(process.stderr);
  if (rows.length === 0) output.log('No key.');
  else output.table(rows);
}

/** A parser of texts with this form that hold no key: they are stored as they are. @param expected what to say otherwise */
function matching(form: RegExp, expected: string) {
  return (text: string): string => {
    if (form.test(text) && !holdsApiKey(text)) return text;
    throw new InvalidArgumentError(expected);
  };
}

function addScope(text: string, scopes: readonly string[] = []): string[] {
  const scope = matching(API_KEY_SCOPE, 'Use lower-case words separated by colons, such as pets:read; not null.')(text);
  return [...new Set([...scopes, scope])];
}

/** A duration such as `90s`, `30m`, `24h`, `90d` or `12w`, in milliseconds. */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^([0-9]{1,5})([smhdw])$/.exec(text) ?? [];
  if (amount === undefined)
    throw new InvalidArgumentError('Use a number and a unit (s, m, h, d or w), such as 30m, 24h or 90d.');
  return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** The time {@link parseDuration} from now; the duration must be positive. */
function parseExpiresIn(text: string): Date {
  const duration = parseDuration(text);
  if (duration === 0) throw new InvalidArgumentError('Use a duration of more than zero, such as 24h.');
  return new Date(Date.now() + duration);
}

if (import.meta.main) await runProgram(keysProgram((work) => administerApiKeys(programEnvironment(), work)));
