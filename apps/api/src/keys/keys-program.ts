import { Command, Option } from 'commander';
import {
  ApiKey,
  generateApiKey,
  hashApiKey,
  hideApiKeys,
  hintOfApiKey,
  type ApiKeyAdministration,
} from '@animal-store/auth';
import { EXIT_CODES } from '../cli/exit-codes.js';
import { actorOption, expiresInOption, parseDuration, parseId, parseKnownName, parseName } from './keys-options.js';

/** How many changes `audit` shows. */
const AUDITED = 100;

/** The dependencies of the program. */
export interface KeysHost {
  /** The prefix of new keys. */
  readonly prefix: () => string;
  /** Runs one command on the keys of the database. */
  readonly administer: (work: (keys: ApiKeyAdministration) => Promise<Report>) => Promise<Report>;
  readonly print: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

/** The output of a command: a text for people, and the same data for programs with `--json`, where ids are strings. */
export interface Report {
  readonly text: string;
  readonly json: unknown;
}

interface Options {
  readonly name: string;
  readonly expiresIn?: Date | null;
  readonly grace: number;
  readonly id?: bigint;
  readonly actor: string;
  readonly json?: true;
}

/** The subcommands of `keys`. Invalid arguments are reported to `writeErr`, and thrown as a CommanderError. */
export function keysProgram(host: KeysHost): Command {
  const run = async ({ json }: Options, work: (keys: ApiKeyAdministration) => Promise<Report>): Promise<void> => {
    const report = await host.administer(work);
    host.print(json === true ? JSON.stringify(report.json, null, 2) : report.text);
  };
  const newKey = ({ expiresIn }: Options, name: string): { key: string; stored: ApiKey } => {
    const key = generateApiKey(host.prefix());
    return { key, stored: new ApiKey(name, hashApiKey(key), expiresIn ?? undefined, hintOfApiKey(key)) };
  };

  const program = new Command('keys')
    .description('The API keys of the service: in the database at DATABASE_URL, else in the embedded one in DATA_DIR.')
    .configureOutput({
      writeOut: host.print,
      writeErr: (text) => {
        host.writeErr(hideApiKeys(text));
      },
    })
    .exitOverride()
    .showHelpAfterError('One of create, list, rotate, revoke and audit is expected; --help says more.')
    .addHelpText('after', `\n${EXIT_CODES}`);

  subcommand('create', 'makes a key, and prints it this once')
    .addOption(new Option('--name <name>', 'whom the key is for').argParser(parseName).makeOptionMandatory())
    .addOption(expiresInOption('never'))
    .addOption(actorOption())
    .addHelpText('after', examples('create --name shop --expires-in 90d'))
    .action((options: Options) => {
      const { key, stored } = newKey(options, options.name);
      return run(options, async (keys) => {
        const created = await keys.create(stored, options.actor);
        return { text: textOfNew('Created', created, key), json: { ...fieldsOf(created), key } };
      });
    });

  subcommand('list', 'shows every key there is or was, and nothing that opens')
    .addHelpText(
      'after',
      `\nA key is expiring when it ends within 7 days. Last used is to the minute.${examples('list')}`,
    )
    .action((options: Options) =>
      run(options, async (keys) => {
        const all = (await keys.list()).map(fieldsOf);
        return { text: table(all, 'There are no keys yet: keys create --name <name> makes one.'), json: all };
      }),
    );

  subcommand('rotate', 'gives a name a new key; the old one works on until the grace is over')
    .argument('<name>', 'the name of a live key', parseKnownName)
    .addOption(
      new Option('--grace <duration>', 'how long the old key works on at most, such as 24h; 0s ends it now')
        .argParser(parseDuration)
        .default(parseDuration('24h'), '24h'),
    )
    .addOption(expiresInOption('as long as the old key was made for'))
    .addOption(actorOption())
    .addHelpText('after', examples('rotate shop --grace 24h', 'rotate shop --grace 0s --expires-in 90d'))
    .action((name: string, options: Options) => {
      const { key, stored } = newKey(options, name);
      return run(options, async (keys) => {
        const { grace, actor, expiresIn } = options;
        const { created, replaced } = await keys.rotate(stored, grace, actor, expiresIn !== null);
        const ends = replaced.map((old) => `The key ${nameOf(old)} expires ${endOf(old)}.`);
        return {
          text: [textOfNew('Rotated', created, key), ...ends].join('\n'),
          json: { ...fieldsOf(created), key, replaced: replaced.map(fieldsOf) },
        };
      });
    });

  const revoke = subcommand('revoke', 'ends every live key of a name, or one key, within a second on every instance')
    .argument('[name]', 'the name of the keys', parseKnownName)
    .addOption(new Option('--id <id>', 'the id of one key, as list shows it').argParser(parseId))
    .addOption(actorOption())
    .addHelpText('after', examples('revoke shop', 'revoke --id 17'))
    .action((name: string | undefined, options: Options) => {
      const { id, actor } = options;
      if ((name === undefined) === (id === undefined)) revoke.error('error: either a name or --id is expected');
      const which = id === undefined ? { name: name ?? '' } : { id };
      return run(options, async (keys) => {
        const revoked = await keys.revoke(which, actor);
        const lines = revoked.map((key) => `Revoked ${nameOf(key)}. Every instance refuses it within a second.`);
        return {
          text: lines.join('\n') || 'Nothing to revoke: it was revoked or had expired before.',
          json: { revoked: revoked.map(fieldsOf) },
        };
      });
    });

  subcommand('audit', `shows who did what to the keys: the last ${AUDITED} changes, the latest first`)
    .addHelpText('after', examples('audit', 'audit --json'))
    .action((options: Options) =>
      run(options, async (keys) => {
        const entries = (await keys.audit(AUDITED)).map(({ at, actor, action, keyId, keyName, details }) => {
          return { at, actor, action, keyId: keyId.toString(), keyName, details };
        });
        return { text: table(entries, 'Nothing was done to the keys yet.'), json: entries };
      }),
    );

  return program;

  function subcommand(name: string, description: string): Command {
    return program
      .command(name)
      .description(description)
      .option('--json', 'print JSON')
      .showHelpAfterError(`keys ${name} --help says more.`);
  }
}

function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  npm run keys -- ${line}`).join('\n')}\n${EXIT_CODES}`;
}

function fieldsOf(key: ApiKey) {
  return {
    id: key.id.toString(),
    name: key.name,
    hint: key.hint ?? null,
    state: key.stateAt(new Date()),
    createdAt: key.createdAt,
    expiresAt: key.expiresAt ?? null,
    revokedAt: key.revokedAt ?? null,
    lastUsedAt: key.lastUsedAt ?? null,
  };
}

function textOfNew(done: string, created: ApiKey, key: string): string {
  return `${done} ${nameOf(created)}; it expires ${endOf(created)}. The key is shown this once, and kept nowhere:\n${key}`;
}

function nameOf({ id, name }: ApiKey): string {
  return `${JSON.stringify(name)} (id ${id})`;
}

function endOf({ expiresAt }: ApiKey): string {
  return expiresAt?.toISOString() ?? 'never';
}

/** A line of names and a line for each row, with a tabulator between the columns; `-` is a field without a value. */
function table(rows: readonly object[], nothing: string): string {
  const [first] = rows;
  if (first === undefined) return nothing;
  return [Object.keys(first), ...rows.map((row) => Object.values(row).map(cell))]
    .map((cells) => cells.join('\t'))
    .join('\n');
}

function cell(value: unknown): string {
  if (value === null) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
