/** A fenced block of a Markdown page. */
export interface FencedBlock {
  /** The first word after the fence, for example `sh`. Empty if there is none. */
  readonly language: string;
  /** The rest of the line as `name=value` pairs: notes for the test that readers do not see. */
  readonly options: Readonly<Record<string, string>>;
  readonly text: string;
  /** The line number of the fence, counted from 1. */
  readonly line: number;
}

/** A command that a reader can run, with the output on the page. */
export interface Example {
  readonly command: FencedBlock;
  readonly output: FencedBlock | undefined;
}

const FENCE = /^```(?<language>\S*) *(?<options>.*)$/;

/** The languages of blocks that show an output and are not run. */
const OUTPUTS: readonly string[] = ['text', 'json', 'http'];

/**
 * The fenced blocks of a page, in order.
 *
 * @throws Error if a fence is indented, made of tildes, or not closed: no test would run such a block
 */
export function fencedBlocks(markdown: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: { language: string; options: Record<string, string>; line: number; lines: string[] } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open !== undefined) {
      if (line !== '```') open.lines.push(line);
      else {
        const { lines, ...block } = open;
        blocks.push({ ...block, text: lines.join('\n') });
        open = undefined;
      }
    } else if (/^\s*(?:```|~~~)/.test(line)) {
      const fence = FENCE.exec(line)?.groups;
      if (fence === undefined) throw new Error(`Line ${index + 1}: begin a block with three backticks, not indented`);
      open = { language: fence['language']!, options: optionsOf(fence['options']!), line: index + 1, lines: [] };
    }
  }
  if (open !== undefined) throw new Error(`Line ${open.line}: the block is never closed`);
  return blocks;
}

function optionsOf(text: string): Record<string, string> {
  const pairs = text.split(' ').filter((pair) => pair !== '');
  return Object.fromEntries(pairs.map((pair) => pair.split('=', 2) as [string, string]));
}

/**
 * Pairs each command with the next block if that block shows an output.
 *
 * @param languages the languages that can be run
 * @throws Error for a block in another language, and for an output without a command before it
 */
export function examplesOf(blocks: readonly FencedBlock[], languages: readonly string[]): Example[] {
  const examples: Example[] = [];
  let last: FencedBlock | undefined;
  for (const block of blocks) {
    const isOutput = OUTPUTS.includes(block.language);
    if (!isOutput && !languages.includes(block.language)) {
      throw new Error(`Line ${block.line}: nobody knows how to run "${block.language}"`);
    }
    if (isOutput) {
      if (last === undefined) throw new Error(`Line ${block.line}: this output is of no command`);
      examples.push({ ...examples.pop()!, output: block });
    } else {
      examples.push({ command: block, output: undefined });
    }
    last = isOutput ? undefined : block;
  }
  return examples;
}
