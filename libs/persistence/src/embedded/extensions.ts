import type { Extension } from '@electric-sql/pglite';

/** The embedded database does not have an extension. */
export class NoExtensionError extends Error {
  readonly kind = 'unprocessable';

  constructor(name: string) {
    super(
      `The embedded database does not have the extension ${name}: use a PostgreSQL server that has it, with DATABASE_URL.`,
    );
  }
}

/** Quotes may be escaped in the source of a migration. */
const CREATE_EXTENSION = /create\s+extension\s+(?:if\s+not\s+exists\s+)?\\?"?([\w-]+)/gi;

/** The names of the extensions that the SQL creates. */
export function extensionsIn(sql: string): string[] {
  const names = Array.from(sql.matchAll(CREATE_EXTENSION), ([, name = '']) => name.toLowerCase());
  // PostgreSQL itself contains this one.
  return [...new Set(names)].filter((name) => name !== 'plpgsql');
}

/**
 * PGlite ships many extensions of PostgreSQL, and has only those that it gets when it opens a database.
 *
 * @throws NoExtensionError
 */
export async function loadExtensions(names: readonly string[]): Promise<Record<string, Extension>> {
  const extensions: Record<string, Extension> = {};
  for (const name of names) {
    const extension = await findExtension(name);
    if (extension === undefined) throw new NoExtensionError(name);
    extensions[name] = extension;
  }
  return extensions;
}

async function findExtension(name: string): Promise<Extension | undefined> {
  const member = name.replaceAll('-', '_');
  try {
    const module = (await import(`@electric-sql/pglite/contrib/${member}`)) as Record<string, Extension>;
    return module[member];
  } catch {
    return undefined;
  }
}
