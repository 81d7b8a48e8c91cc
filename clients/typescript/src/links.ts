/** The address of the link with this relation (RFC 8288), or `undefined` if there is no such link. */
export function linkOf(headers: Headers, relation: string): string | undefined {
  for (const [, address, parameters = ''] of (headers.get('link') ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    if ((relations?.[1] ?? relations?.[2] ?? '').toLowerCase().split(/\s+/).includes(relation)) return address;
  }
  return undefined;
}
