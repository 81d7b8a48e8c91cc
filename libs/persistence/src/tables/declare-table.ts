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

/** Selects rows by their values in the columns of the filters. A filter without a value does not filter. */
type FilterBy<Entity, Field extends keyof Entity> = { readonly [Name in Field]?: Entity[Name] | undefined };

/** The declaration of a table, in addition to its mapping. */
export interface TableOptions<Field extends string, Filter extends Field> {
  /** The members of a row in JSON, in their order. The first is `id`. By default, all fields in the order of the mapping. */
  readonly shown?: readonly ['id', ...Exclude<Field, 'id'>[]];
  /**
   * The fields by which lists can be filtered, each alone or together, at most {@link MAX_FILTERS}. The table must have an index
   * on the column of each filter and `id`, in that order. A list with several filters walks the index of the last of them and
   * leaves out the other rows; for a combination that leaves out many, add an index on all its columns in this order and `id`.
   */
  readonly filters?: readonly Filter[];
  /** Whether lists have the newest row first. By default they are in ascending order of id. */
  readonly newestFirst?: boolean;
}

/** Each combination of filters is a part of one statement. */
const MAX_FILTERS = 4;

/** A table as `Tables` takes it. `Entity` is the class of a row, `New` are its fields without the id. */
export interface DeclaredTable<Entity extends Identified, New extends object, Filter extends object> {
  readonly entity: { readonly prototype: Entity };
  readonly shown: readonly string[];
  readonly filters: readonly string[];
  readonly newestFirst: boolean;
  /** Whether the class has its own `toJSON`. */
  readonly hasToJson: boolean;
  /** Used by types only. */
  readonly '~types'?: { readonly new: New; readonly query: PageQuery & Filter };
}

/**
 * Declares a mapped table, for lists, reads and additions.
 *
 *     export const ORDERS = declareTable(OrderMapping, { filters: ['status', 'petId'], newestFirst: true });
 *
 * The mapping must have the primary key `id`, `p.bigint().primary().autoincrement().generated('by default as identity')`.
 */
export function declareTable<const Mapped extends Mapping, const Filter extends FieldOf<Mapped> = never>(
  mapping: Mapped,
  options: TableOptions<FieldOf<Mapped>, Filter> = {},
): DeclaredTable<
  EntityOf<Mapped>,
  Pick<EntityOf<Mapped>, Exclude<FieldOf<Mapped>, 'id'>>,
  FilterBy<EntityOf<Mapped>, Filter>
> {
  const fields = Object.keys(mapping.properties).filter((name) => name !== 'id');
  const { shown = ['id', ...fields], filters = [], newestFirst = false } = options;
  if (filters.length > MAX_FILTERS) throw new Error(`A declared table has at most ${MAX_FILTERS} filters`);
  // MikroORM adds a `toJSON` to every class that it discovers, which happens later.
  const hasToJson = 'toJSON' in mapping.class.prototype;
  return { entity: mapping.class, shown, filters, newestFirst, hasToJson };
}
