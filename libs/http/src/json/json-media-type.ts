/** No two runs of blanks can meet in it: where they can, a header of 16 kB of tabulators takes half a second. */
const JSON_MEDIA_TYPE = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?(?:[ \t]*;)?[ \t]*$/i;

/** Whether it is `application/json`, alone or with the one charset that JSON has (RFC 8259, section 8.1). */
export function isJsonMediaType(contentType: string): boolean {
  return JSON_MEDIA_TYPE.test(contentType);
}
