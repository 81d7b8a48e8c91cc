import type { PageQuery } from '@animal-store/kernel';

/** What a row is in the domain: an object of a class, with the id that the database assigned. */
export interface Identified {
  readonly id: bigint;
}

/** A mapping of MikroORM, as `defineEntity` gives it. */
interface Mapping {
  readonly class: { readonly prototype: Identified };
  readonly properties: object;
}

type EntityOf<Mapped extends Mapping> = Mapped['class']['prototype'];

/** The properties of the mapping: what is in a column. Methods of the class are not. */
type FieldOf<Mapped extends Mapping> = keyof Mapped['properties'] & keyof EntityOf<Mapped> & string;

/** Which rows are shown: those with this value in the column of the filter, or all. */
type FilterBy<Entity, Field extends keyof Entity> = { readonly [Name in Field]?: Entity[Name] | undefined };

/** What is said of a table beside its mapping. */
export interface TableOptions<Field extends string, Filter extends Field> {
  /** The fields of a row as JSON, in their order. The first is `id`. */
  readonly shown: readonly ['id', ...Exclude<Field, 'id'>[]];
  /** A field that pages are filtered by. Where there is one, there is an index on its column and `id`, in that order. */
  readonly filter?: Filter;
  /** Names that metrics and traces have for a statement, where it is not that of {@link statementNames}. */
  readonly statements?: Partial<StatementNames>;
}

/** The statements about one table, by what metrics, traces and PostgreSQL call them. */
export interface StatementNames {
  readonly find: string;
  readonly pages: string;
  readonly add: string;
  readonly addOnce: string;
}

/** A table as `Tables` takes it. `Entity` is the class of a row, `New` what is known of one before it has an id. */
export interface DeclaredTable<Entity extends Identified, New extends object, Filter extends object> {
  readonly entity: { readonly prototype: Entity };
  readonly shown: readonly string[];
  readonly filter: string | undefined;
  readonly statements: Partial<StatementNames>;
  /** Whether the class says itself what it is as JSON. */
  readonly hasToJson: boolean;
  /** For types alone. */
  readonly '~types'?: { readonly new: New; readonly query: PageQuery & Filter };
}

/**
 * Says of a mapped table what listings, gets and additions need to know.
 *
 *     export const ORDERS = declareTable(OrderMapping, { shown: ['id', 'petId', 'status', 'placedAt'], filter: 'status' });
 *
 * The mapping has a primary key `id`, `p.bigint().primary().autoincrement().generated('by default as identity')`.
 */
export function declareTable<const Mapped extends Mapping, const Filter extends FieldOf<Mapped> = never>(
  mapping: Mapped,
  { shown, filter, statements = {} }: TableOptions<FieldOf<Mapped>, Filter>,
): DeclaredTable<
  EntityOf<Mapped>,
  Pick<EntityOf<Mapped>, Exclude<FieldOf<Mapped>, 'id'>>,
  FilterBy<EntityOf<Mapped>, Filter>
> {
  // MikroORM gives one to every class, but not before it has seen it.
  const hasToJson = 'toJSON' in mapping.class.prototype;
  return { entity: mapping.class, shown, filter, statements, hasToJson };
}
