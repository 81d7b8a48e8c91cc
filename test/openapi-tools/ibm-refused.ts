import type { Finding } from './findings.js';

/** What IBM's validator finds and the document keeps: findings of a rule, at the places that match, for a reason. */
export interface Refusal {
  readonly rule: string;
  readonly at: RegExp;
  readonly says?: RegExp;
  readonly reason: string;
}

export const REFUSED: readonly Refusal[] = [
  {
    rule: 'ibm-parameter-casing-convention',
    at: /^paths\/.*\/parameters\/\d+$/,
    reason: 'Names are in camel case, as JavaScript writes them: petId of the specification.',
  },
  {
    rule: 'ibm-property-casing-convention',
    at: /^components\/schemas\/(Animal|NewPet)\/properties$/,
    reason: 'Names are in camel case, as JavaScript writes them: categoryId of the specification.',
  },
  {
    rule: 'ibm-operationid-casing-convention',
    at: /^paths\/.*\/operationId$/,
    reason: 'Generators make functions of them: listPets, createPet and getPet of the specification.',
  },
  {
    rule: 'ibm-operationid-naming-convention',
    at: /^paths\/.*\/operationId$/,
    reason: 'They differ from the convention in their case alone.',
  },
  {
    rule: 'ibm-no-array-responses',
    at: /^components\/schemas\/Pets$/,
    reason: 'A page is a list, as specified; what else there is to say of it is in header fields, Link among them.',
  },
  {
    rule: 'ibm-collection-array-property',
    at: /^components\/schemas\/Pets$/,
    reason: 'A page is a list, as specified, and no object with a list inside.',
  },
  {
    rule: 'ibm-schema-naming-convention',
    at: /^components\/schemas\/(Pets|NewPet)$/,
    reason: 'Pets and NewPet are the names of the specification.',
  },
  {
    rule: 'ibm-error-response-schemas',
    at: /^components\/schemas\/Error\/properties$/,
    reason: 'The Error of the specification has code, message and status, and nothing else; X-Request-Id is the trace.',
  },
  {
    rule: 'ibm-response-status-codes',
    at: /IdempotencyKeyReused$|\/responses\/422$/,
    reason:
      'A key that was used before with another body is 422 (draft-ietf-httpapi-idempotency-key-header, section 2.7).',
  },
  {
    rule: 'ibm-openapi-tags-used',
    at: /^tags\/1$/,
    reason: 'The specification has the tag Store, for the operations to come.',
  },
  {
    rule: 'ibm-integer-attributes',
    at: /\/schema$|\/properties\/(id|categoryId)$/,
    says: /property '(minimum|maximum)'$/,
    reason:
      'The bounds are those of the format int64, which readers in JavaScript and others would round to 2^63, one too many.',
  },
  {
    rule: 'ibm-string-attributes',
    at: /^components\/headers\//,
    reason: 'Clients need no bounds of what the service itself writes, and a promised one could never be raised.',
  },
  {
    rule: 'ibm-string-attributes',
    at: /\/parameters\/\d+\/schema$/,
    reason: 'A cursor is opaque; If-None-Match is of any length that the header fields have room for.',
  },
  {
    rule: 'ibm-string-attributes',
    at: /^components\/schemas\/(Animal\/properties\/name|Error\/properties\/message)$/,
    reason: 'Names are of any characters, and the text of a message is for people.',
  },
  {
    rule: 'ibm-anchored-patterns',
    at: /^components\/schemas\/NewPet\/properties\/name\/pattern$/,
    reason: 'One character that is not blank, anywhere: an anchored pattern says the same in more words, and slower.',
  },
  {
    rule: 'ibm-anchored-patterns',
    at: /^components\/headers\/WWW-Authenticate\/schema\/pattern$/,
    reason: 'It says how the challenge begins; parameters may follow (RFC 9110, section 11.6.1).',
  },
  {
    rule: 'ibm-property-attributes',
    at: /^components\/headers\/Idempotent-Replayed\/schema\/enum$/,
    reason: 'The field is true or absent, never false.',
  },
  {
    rule: 'ibm-schema-type-format',
    at: /^components\/headers\/Location\/schema$/,
    reason: 'It is a reference (RFC 3986, section 4.1), which the format url of that list is not.',
  },
  {
    rule: 'ibm-avoid-repeating-path-parameters',
    at: /^paths\/.*\/parameters\/\d+$/,
    reason: 'Each operation tells all of its parameters, for those who read one.',
  },
];

/** The findings that nobody refused, and the refusals of nothing. */
export function judge(findings: readonly Finding[], refused: readonly Refusal[]): { open: Finding[]; idle: Refusal[] } {
  const matches =
    ({ rule, at, says = /^/ }: Refusal) =>
    (finding: Finding) =>
      finding.rule === rule && at.test(finding.at) && says.test(finding.says);
  return {
    open: findings.filter((finding) => !refused.some((refusal) => matches(refusal)(finding))),
    idle: refused.filter((refusal) => !findings.some(matches(refusal))),
  };
}
