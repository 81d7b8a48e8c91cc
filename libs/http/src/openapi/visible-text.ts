import type { Token, Tokens } from 'marked';

/** The visible text of Markdown, without markup. */
export function textOf(tokens: readonly Token[]): string {
  return tokens.map((token) => (isParent(token) ? textOf(token.tokens) : textOfLeaf(token))).join('');
}

function isParent(token: Token): token is Token & { readonly tokens: Token[] } {
  return (token as Tokens.Generic).tokens !== undefined;
}

function textOfLeaf(token: Token): string {
  return 'text' in token ? String(token.text) : token.raw;
}
