/** The comments in Markdown around a generated section. */
function marksOf(name: string): [begin: string, end: string] {
  return [`<!-- ${name}: written by npm run docs:pictures -->\n\n`, `\n\n<!-- end of ${name} -->`];
}

/** @throws Error if the text has no such section */
export function sectionOf(text: string, name: string): string {
  const [begin, end] = marksOf(name);
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`There is no section "${name}" between its two comments`);
  return text.slice(from + begin.length, to);
}

/** @throws Error if the text has no such section */
export function withSection(text: string, name: string, content: string): string {
  const [begin, end] = marksOf(name);
  return text.replace(`${begin}${sectionOf(text, name)}${end}`, () => `${begin}${content}${end}`);
}
