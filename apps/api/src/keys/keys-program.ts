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
import { parseDuration } from './key-lifetime.js';
import {
  actorOption,
  expiresAtOption,
  expiresInOption,
  orInvalidArgument,
  parseCount,
  parseId,
  parseKnownName,
  parseName,
  prefixOption,
} from './keys-options.js';
import { reportAudit, reportCreated, reportList, reportRevoked, reportRotated, type Report } from './keys-report.js';

/** The dependencies of the program. */
export interface KeysHost {
  /** The default prefix of new keys. */
  readonly prefix: () => string;
  /** Runs one command on the keys of the database. */
  readonly administer: (work: (keys: ApiKeyAdministration) => Promise<Report>) => Promise<Report>;
  readonly print: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

interface Options {
  readonly name: string;
  readonly prefix?: string;
  readonly expiresIn?: Date | null;
  readonly expiresAt?: Date;
  readonly grace: number;
  readonly id?: bigint;
  readonly limit: number;
  readonly actor: string;
  readonly json?: true;
}

/** The subcommands of `keys`. Invalid arguments are reported to `writeErr`, and thrown as a CommanderError. */
export function keysProgram(host: KeysHost): Command {
  const run = async ({ json }: Options, work: (keys: ApiKeyAdministration) => Promise<Report>): Promise<void> => {
    const report = await host.administer(work);
    host.print(json === true ? JSON.stringify(report.json, null, 2) : report.text);
  };
  const newKey = ({ prefix, expiresIn, expiresAt }: Options, name: string): { key: string; stored: ApiKey } => {
    const key = generateApiKey(prefix ?? host.prefix());
    return { key, stored: new ApiKey(name, hashApiKey(key), expiresAt ?? expiresIn ?? undefined, hintOfApiKey(key)) };
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
    .addOption(prefixOption())
    .addOption(expiresInOption('never'))
    .addOption(expiresAtOption())
    .addOption(actorOption())
    .addHelpText('after', examples('create --name shop --expires-in 90d', 'create --name shop --expires-at 2027-02-28'))
    .action((options: Options) => {
      const { key, stored } = newKey(options, options.name);
      return run(options, async (keys) => reportCreated(await keys.create(stored, options.actor), key, new Date()));
    });

  subcommand('list', 'shows every key there is or was, and nothing that opens')
    .addHelpText(
      'after',
      `\nA key is expiring when it ends within 7 days. Last used is to the minute.${examples('list')}`,
    )
    .action((options: Options) => run(options, async (keys) => reportList(await keys.list(), new Date())));

  subcommand('rotate', 'gives a name a new key; the old one works on until the grace is over')
    .argument('<name>', 'the name of a live key', parseKnownName)
    .addOption(
      new Option('--grace <duration>', 'how long the old key works on at most, such as 24h; 0s ends it now')
        .argParser(orInvalidArgument(parseDuration))
        .default(parseDuration('24h'), '24h'),
    )
    .addOption(prefixOption())
    .addOption(expiresInOption('as long as the old key was made for'))
    .addOption(expiresAtOption())
    .addOption(actorOption())
    .addHelpText('after', examples('rotate shop --grace 24h', 'rotate shop --grace 0s --expires-in 90d'))
    .action((name: string, options: Options) => {
      const { key, stored } = newKey(options, name);
      return run(options, async (keys) => {
        const rotation = await keys.rotate(stored, options.grace, options.actor, options.expiresIn !== null);
        return reportRotated(rotation, key, new Date());
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
      return run(options, async (keys) => reportRevoked(await keys.revoke(which, actor), new Date()));
    });

  subcommand('audit', 'shows who did what to the keys, the latest first')
    .addOption(new Option('--limit <count>', 'how many changes').argParser(parseCount).default(50))
    .addHelpText('after', examples('audit --limit 10', 'audit --json'))
    .action((options: Options) => run(options, async (keys) => reportAudit(await keys.audit(options.limit))));

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
