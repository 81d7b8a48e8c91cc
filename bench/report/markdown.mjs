/** A table of GitHub-flavoured Markdown; all columns except the first are aligned right. */
export function table(header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const alignment = header.map((_, column) => (column === 0 ? '---' : '---:'));
  return [line(header), line(alignment), ...rows.map(line)].join('\n');
}

/** A number with `digits` decimals, or a dash if there is no number. */
export function number(value, digits = 2) {
  return value === undefined ? '–' : value.toFixed(digits);
}

/** Several numbers in one cell, or a single dash if there are no numbers. */
export function numbers(values, { digits, separator }) {
  const measured = values.some((value) => value !== undefined);
  return measured ? values.map((value) => number(value, digits)).join(separator) : number(undefined);
}

/** Text that is folded until the reader opens it. */
export function details(summary, text) {
  return `<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`;
}
