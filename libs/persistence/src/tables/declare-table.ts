import type { PageQuery } from '@animal-store/kernel';

/** An object of the domain that is stored as a row, with the id that the database assigned. */
export interface Identified {
  readonly id: bigint;
}

/** A mapping of MikroORM, as `defineEntity` returns it. */
interface Mapping {
  readonly class: { readonly prototype: Identified };
  readonly properties: object;
}

type EntityOf<Mapped extends Mapping> = Mapped['class']['prototype'];

/** The properties of the mapping, which have columns; not the methods of the class. */
type FieldOf<Mapped extends Mapping> = keyof Mapped['properties'] & keyof EntityOf<Mapped> & string;

/** Selects rows by their value in the column of the filter; without a value, all rows. */
type FilterBy<Entity, Field extends keyof Entity> = { readonly [Name in Field]?: Entity[Name] | undefined };

/** The declaration of a table, in addition to its mapping. */
export interface TableOptions<Field extends string, Filter extends Field> {
  /** The members of a row in JSON, in their order. The first is `id`. */
  readonly shown: readonly ['id', ...Exclude<Field, 'id'>[]];
  /** The field by which lists can be filtered. The table must have an index on its column and `id`, in that order. */
  readonly filter?: Filter;
  /** The names of statements in metrics and traces that differ from {@link statementNames}. */
  readonly statements?: Partial<StatementNames>;
}

/** A table as `Tables` takes it. `Entity` is the class of a row, `New` are its fields without the id. */
export interface DeclaredTable<Entity extends Identified, New extends object, Filter extends object> {
  readonly entity: { readonly prototype: Entity };
  readonly shown: readonly string[];
  readonly filter: string | undefined;
  readonly statements: Partial<StatementNames>;
  /** Whether the class has its own `toJSON`. */
  readonly hasToJson: boolean;
  /** Used by types only. */
  readonly '~types'?: { readonly new: New; readonly query: PageQuery & Filter };
}

/**
 * Declares a mapped table, for lists, reads and additions.
 *
 *     export const ORDERS = declareTable(OrderMapping, { shown: ['id', 'petId', 'status', 'placedAt'], filter: 'status' });
 *
 * The mapping must have the primary key `id`, `p.bigint().primary().autoincrement().generated('by default as identity')`.
 */
export function declareTable<const Mapped extends Mapping, const Filter extends FieldOf<Mapped> = never>(
  mapping: Mapped,
  { shown, filter, statements = {} }: TableOptions<FieldOf<Mapped>, Filter>,
): DeclaredTable<
  EntityOf<Mapped>,
  Pick<EntityOf<Mapped>, Exclude<FieldOf<Mapped>, 'id'>>,
  FilterBy<EntityOf<Mapped>, Filter>
> {
  // MikroORM adds a `toJSON` to every class that it discovers, which happens later.
  const hasToJson = 'toJSON' in mapping.class.prototype;
  return { entity: mapping.class, shown, filter, statements, hasToJson };
}

/** The names of a table's statements in metrics, traces and PostgreSQL. */
export interface StatementNames {
  readonly find: string;
  readonly pages: string;
  readonly add: string;
  readonly addOnce: string;
}

/** @returns the default names of a table's statements, in metrics, traces and PostgreSQL */
export function statementNames(table: string): StatementNames {
  return { find: `find_${table}`, pages: `find_${table}_pages`, add: `add_${table}`, addOnce: `add_${table}_once` };
}
