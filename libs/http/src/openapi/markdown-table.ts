import type { Token, Tokens } from 'marked';

interface InlineParser {
  parseInline(tokens: Token[]): string;
}

/** A table of Markdown as HTML. */
export function tableOf(parser: InlineParser, { header, rows }: Tokens.Table): string {
  const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
    `<tr>${cells.map(({ tokens }) => `<${tag}>${parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${row(header, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;
}
