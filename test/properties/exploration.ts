import { randomInt } from 'node:crypto';
import fc, { type IAsyncProperty, type Parameters } from 'fast-check';

/** Of a run that was given none. */
const OWN_SEED = randomInt(2 ** 31);

/** How the explorations of a run are done, by the options of `npm run test:properties`. */
interface Settings {
  /** How many runs each property has, in the place of its own number. */
  readonly runs: number | undefined;
  readonly seed: number;
  /** Where the failing run is among those of the seed; a failure names it. */
  readonly path: string | undefined;
  /** As above: which commands of it ran. */
  readonly replayPath: string | undefined;
  /** Tells of explorations that found nothing, too. */
  readonly isTalkative: boolean;
}

export interface Explored {
  readonly runs: number;
  readonly seed: number;
}

/** A property does not hold; with a script that repeats what was done, where there is one. */
export class PropertyError extends Error {
  constructor(
    message: string,
    readonly script?: string,
  ) {
    super(message);
  }
}

/**
 * Tries a property with generated values, and shrinks those that break it.
 *
 * @param name what is explored, for people
 * @param runs how many, unless the command says another number
 * @throws Error that tells the smallest values that break it, the seed, the command that repeats it, and the script
 */
export async function explore<Values>(
  name: string,
  runs: number,
  property: IAsyncProperty<Values>,
  parameters: Parameters<Values> = {},
): Promise<Explored> {
  const settings = readSettings(process.env);
  const details = await fc.check(property, {
    numRuns: settings.runs ?? runs,
    seed: settings.seed,
    ...(settings.path !== undefined && { path: settings.path, endOnFailure: true }),
    ...parameters,
  });
  const { numRuns, seed, counterexample, counterexamplePath, errorInstance, numShrinks } = details;
  if (details.failed) {
    const values = fc.stringify(counterexample);
    const title = expect.getState().currentTestName ?? name;
    const { message, script } = causeOf(errorInstance);
    throw new Error(
      [
        `${name}: found after ${numRuns} runs and ${numShrinks} steps of shrinking: ${message}`,
        `Values: ${values}`,
        `Repeat it: npm run test:properties -- ${repetition(seed, counterexamplePath, values)} --title ${JSON.stringify(title)}`,
        ...(script === undefined ? [] : ['Or by this script:', script]),
      ].join('\n\n'),
      { cause: errorInstance },
    );
  }
  if (settings.isTalkative) process.stdout.write(`${name}: ${numRuns} runs, seed ${seed}\n`);
  return { runs: numRuns, seed };
}

/** The part of fast-check's commands that tells which of them ran: a path alone does not lead to them. */
export function replayPathOf(): string | undefined {
  return readSettings(process.env).replayPath;
}

function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const numberOf = (name: string) => (environment[name] === undefined ? undefined : Number(environment[name]));
  return {
    runs: numberOf('PROPERTY_RUNS'),
    seed: numberOf('PROPERTY_SEED') ?? OWN_SEED,
    path: environment['PROPERTY_PATH'],
    replayPath: environment['PROPERTY_REPLAY_PATH'],
    isTalkative: environment['PROPERTY_TALKATIVE'] !== undefined,
  };
}

function causeOf(error: unknown): { readonly message: string; readonly script?: string | undefined } {
  if (error instanceof PropertyError) return error;
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function repetition(seed: number, path: string | null, values: string): string {
  const replayPath = /replayPath="(?<replayPath>[^"]*)"/.exec(values)?.groups?.['replayPath'];
  return `--seed ${seed} --path ${path ?? '0'}${replayPath === undefined ? '' : ` --replay-path ${replayPath}`}`;
}
