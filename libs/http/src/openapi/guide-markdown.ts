import { Marked, type Token, type Tokens } from 'marked';

/** A page of the guide as HTML. */
export interface RenderedPage {
  /** The text of its first heading, as HTML. */
  readonly title: string;
  readonly html: string;
}

/**
 * Converts a page in GitHub's Markdown to HTML, with the same anchors of headings as on GitHub.
 *
 * @param addressOf returns the target of a link; `undefined` if the target does not exist here, and only the text is
 *   shown
 */
export function renderMarkdown(markdown: string, addressOf: (href: string) => string | undefined): RenderedPage {
  const anchors = new Anchors();
  let title = '';
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        if (title === '') title = escapeHtml(textOf(tokens));
        return `<h${depth} id="${escapeHtml(anchors.next(textOf(tokens)))}">${html}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const address = addressOf(href);
        return address === undefined ? html : `<a href="${escapeHtml(address)}">${html}</a>`;
      },
      // A wide table is scrolled within the page.
      table(token) {
        return `<div class="table">${tableOf(this.parser, token)}</div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title, html };
}

interface InlineParser {
  parseInline(tokens: Token[]): string;
}

function tableOf(parser: InlineParser, { header, rows }: Tokens.Table): string {
  const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
    `<tr>${cells.map(({ tokens }) => `<${tag}>${parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${row(header, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;
}

/** The visible text, without markup. */
function textOf(tokens: readonly Token[]): string {
  return tokens.map((token) => (isParent(token) ? textOf(token.tokens) : textOfLeaf(token))).join('');
}

function isParent(token: Token): token is Token & { readonly tokens: Token[] } {
  return (token as Tokens.Generic).tokens !== undefined;
}

function textOfLeaf(token: Token): string {
  return 'text' in token ? String(token.text) : token.raw;
}

/** The anchors of one page, the same as on GitHub, so that a link works in both places. */
class Anchors {
  private readonly taken = new Map<string, number>();

  next(heading: string): string {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    const before = this.taken.get(anchor);
    this.taken.set(anchor, (before ?? 0) + 1);
    return before === undefined ? anchor : `${anchor}-${before}`;
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
