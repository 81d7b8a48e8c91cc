/** Prints what a run counted, for whoever runs the command: docs/evidence.md names the command of each promise. */
export function printFigures(what: string, figures: Readonly<Record<string, number | string>>): void {
  const counted = Object.entries(figures).map(([name, figure]) => `  ${name}: ${figure}`);
  process.stdout.write(`${[what, ...counted].join('\n')}\n`);
}
