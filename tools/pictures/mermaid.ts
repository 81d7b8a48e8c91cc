/** A name, such as `libs/http`, as the id of a node or a participant. */
export function idOf(name: string): string {
  return name.replaceAll(/\W/g, '_');
}
