/**
 * No two repeated groups can match the same blanks: with such a pattern, a header of 16 kB of tabs would take half a
 * second.
 */
const JSON_MEDIA_TYPE = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?(?:[ \t]*;)?[ \t]*$/i;

/** Whether the type is `application/json`, alone or with the only charset of JSON, UTF-8 (RFC 8259, section 8.1). */
export function isJsonMediaType(contentType: string): boolean {
  return JSON_MEDIA_TYPE.test(contentType);
}

/** @param declared in lower case, such as `multipart/form-data`; a `*` may stand for the part after the slash, or for both parts */
export function isAmong(declared: readonly string[], contentType: string): boolean {
  const end = contentType.indexOf(';');
  const type = (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
  return declared.some(
    (pattern) =>
      pattern === type || pattern === '*/*' || (pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1))),
  );
}
