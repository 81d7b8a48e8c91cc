import type { RecordedProof } from '../support/proofs.ts';

/** The result of a complete run of a command. */
export interface Run {
  readonly command: string;
  readonly date: string;
  readonly seconds: number;
  readonly passed: boolean;
}

const TITLE = `# What is promised, and how it was tried

Written by \`npm run reliability\`, which runs every command below; a line is of the last run of its command that held. Do not edit it.
What breaks a promise fails its command. Figures of "lost", "doubled", "stale" and the like are counted, not estimated.
`;

/** The Markdown text of docs/reliability.md for the results of the checks. */
export function reliabilityPage(proofs: readonly RecordedProof[], runs: readonly Run[]): string {
  return [
    TITLE,
    table(['promise', 'how it is tried', 'figures', 'with', 'command', 'when'], [...proofs].sort(byPromise).map(rowOf)),
    '## The commands as a whole\n',
    table(
      ['command', 'took', 'when', 'outcome'],
      runs.map(({ command, date, seconds, passed }) => [
        `\`${command}\``,
        duration(seconds),
        date,
        passed ? 'held' : 'failed',
      ]),
    ),
  ].join('\n');
}

function byPromise(one: RecordedProof, other: RecordedProof): number {
  return compare(one.promise, other.promise) || compare(one.trial, other.trial);
}

/** Compares by code units: the order is the same on every machine. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function rowOf({ promise, trial, figures, versions, command, date, commit }: RecordedProof): readonly string[] {
  const counted = Object.entries(figures).map(([name, figure]) => `${name}: ${figure}`);
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [promise, trial, counted.join('<br>'), used.join('<br>'), `\`${command}\``, `${date}, ${commit}`];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows.map((cells) => cells.map(escape))];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

function escape(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function duration(seconds: number): string {
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
