import { parse, stringify } from 'yaml';

interface Rule {
  expr: string;
  for?: string;
}

/**
 * The length of each unit of duration in the test, in seconds. Hours and days are divided by larger numbers than minutes,
 * because the tests cannot wait that long. A number of seconds (`90 * 86400`) is not a duration of Prometheus: it stays
 * unchanged.
 */
const LASTS: Readonly<Record<string, number>> = { m: 2, h: 10, d: 20 };

const DURATION = /(?<![\w.])(?<count>[0-9]+)(?<unit>[mhd])(?!\w)/g;

/**
 * The shipped rules in fast motion. In `for`, and in ranges and offsets of expressions, a minute lasts 2 seconds (1/30), an
 * hour 10 seconds and a day 20 seconds. Thresholds and labels are not changed.
 *
 * @param rules the text of the file
 */
export function inFastMotion(rules: string): string {
  const file = parse(rules) as { groups: { rules: Rule[] }[] };
  for (const rule of file.groups.flatMap((group) => group.rules)) {
    rule.expr = shortened(rule.expr);
    if (rule.for !== undefined) rule.for = shortened(rule.for);
  }
  return stringify(file);
}

function shortened(text: string): string {
  return text.replace(DURATION, (_, count: string, unit: string) => `${Number(count) * LASTS[unit]!}s`);
}
