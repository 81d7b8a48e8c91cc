import { Marked } from 'marked';
import { HeadingAnchors } from './heading-anchors.js';
import { tableOf } from './markdown-table.js';
import { textOf } from './visible-text.js';

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
  const anchors = new HeadingAnchors();
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

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
