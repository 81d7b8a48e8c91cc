/**
 * A link `<address>`, or a parameter `; name="value"` of the link before it. The parts of the pattern never match the same
 * characters, and a quotation that does not end is taken whole: so the time is linear in the length of the text.
 */
const LINK_OR_PARAMETER =
  /<(?<address>[^<>]*)>|;\s*(?<name>[^\s;,="<>]+)\s*(?:=\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"?|(?<word>[^\s;,"<>]*)))?/g;

/** The address of the link with this relation (RFC 8288), or `undefined` if there is no such link. */
export function linkOf(headers: Headers, relation: string): string | undefined {
  let address: string | undefined;
  let hasRelation = false;
  for (const { groups = {} } of (headers.get('link') ?? '').matchAll(LINK_OR_PARAMETER)) {
    if (groups['address'] !== undefined) {
      address = groups['address'];
      hasRelation = false;
    } else if (!hasRelation && groups['name']?.toLowerCase() === 'rel') {
      // Only the first relation of a link counts.
      hasRelation = true;
      const relations = (groups['quoted'] ?? groups['word'] ?? '').toLowerCase().split(/\s+/);
      if (relations.includes(relation)) return address;
    }
  }
  return undefined;
}
