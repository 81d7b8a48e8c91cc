const NEXT = /<(?<path>[^>]*)>; rel="next"/;

/** The address of the page after the one in the answer; `undefined` after the last. */
export function nextPage({ headers }: { readonly headers: Headers }): string | undefined {
  return NEXT.exec(headers.get('link') ?? '')?.groups?.['path'];
}
