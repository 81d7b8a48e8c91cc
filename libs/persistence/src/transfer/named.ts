/** A named object of a schema; `null` is the default schema. */
export interface Named {
  readonly schema: string | null;
  readonly name: string;
}

/** Whether two names are those of one object. */
export function isSame(one: Named, other: Named): boolean {
  return one.schema === other.schema && one.name === other.name;
}

/** The name in messages. */
export function nameOf({ schema, name }: Named): string {
  return schema === null ? name : `${schema}.${name}`;
}

/** The quoted name in SQL. */
export function sqlName({ schema, name }: Named): string {
  return identifier(schema, name);
}

/** A quoted name in SQL. */
export function identifier(...parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null)
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
}
