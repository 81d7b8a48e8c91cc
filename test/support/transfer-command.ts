import { BuiltProgram } from './built-server.js';

/** The output of a command, and the figures in the output. */
export interface TransferOutcome {
  readonly printed: string;
  readonly rows: number;
  readonly seconds: number;
  /** The peak memory of the command, in MiB. */
  readonly memory: number;
  /** How long a running server waited, in milliseconds; 0 if no server was running. */
  readonly pausedMs: number;
}

/** Runs `db:export`, `db:import` or `db:copy`. @throws Error if the command fails */
export async function transfer(
  command: 'export' | 'import' | 'copy',
  environment: Record<string, string>,
  ...words: string[]
): Promise<TransferOutcome> {
  const program = new BuiltProgram(`cli/db-${command}`, environment, words);
  const code = await program.ended();
  const { printed } = program;
  if (code !== 0) throw new Error(`db:${command} ended with ${code}: ${printed}`);
  const number = (pattern: RegExp) => Number((pattern.exec(printed)?.[1] ?? '0').replaceAll(',', ''));
  return {
    printed,
    rows: number(/([0-9,]+) rows? of/),
    seconds: number(/in ([0-9.]+) s,/),
    memory: number(/with ([0-9,]+) MiB/),
    pausedMs: number(/waited for ([0-9,]+) ms/),
  };
}
