import type { Value } from '../sql/sql-executor.js';
import { columnTypeOf, type ColumnType } from './column-type.js';
import type { ColumnMetadata } from './table-metadata.js';

/** Values that need no escape in JSON. */
const PLAIN = /^[\w -]*$/;

/** A column of a declared table: how its values are written in SQL and read from results. */
export class Column {
  /** The name of the property. */
  readonly name: string;
  /** The name of the column. */
  readonly field: string;
  /** The quoted name of the column. */
  readonly sql: string;
  readonly nullable: boolean;
  /** @returns the parameter for a value, which is neither `undefined` nor `null` */
  readonly encode: (value: unknown) => Value;
  private readonly columnType: string;
  private readonly type: ColumnType;

  /** @throws Error if a declared table cannot have this column */
  constructor(
    table: string,
    private readonly metadata: ColumnMetadata,
  ) {
    const [field, ...others] = metadata.fieldNames;
    const [columnType = ''] = metadata.columnTypes;
    const type = columnTypeOf(columnType);
    if (field === undefined || others.length > 0 || type === undefined) {
      throw new Error(
        `The property ${metadata.name} of the table ${table} (${columnType}) can't be part of a declared table: ` +
          'its columns are integers, texts, booleans, timestamptz, date, uuid, json or jsonb. Read such a table by the entity manager',
      );
    }
    this.name = metadata.name;
    this.field = field;
    this.sql = quoted(field);
    this.nullable = metadata.nullable === true;
    this.columnType = columnType;
    this.type = type;
    this.encode = type.encode;
  }

  /** SQL: the value as JSON; null if the value is null. */
  get json(): string {
    return this.isPlain ? `'"' || ${this.sql} || '"'` : this.type.json(this.sql);
  }

  /** SQL: the value as text for {@link decode}. */
  get text(): string {
    return this.type.text(this.sql);
  }

  /** The type of the statement's parameter for its values. */
  get parameter(): string {
    return this.type.parameter;
  }

  /** SQL: casts a parameter to the type of the column. */
  cast(parameter: string): string {
    return this.columnType === this.parameter || this.columnType.startsWith('varchar')
      ? parameter
      : `${parameter}::${this.columnType.replace('serial', 'int')}`;
  }

  decode(value: unknown): unknown {
    return value === null ? undefined : this.type.decode(value as string, this.metadata.runtimeType);
  }

  /** Whether the column is an enumeration whose values need no escape in JSON. */
  private get isPlain(): boolean {
    const { enum: isEnum = false, items = [] } = this.metadata;
    return isEnum && items.length > 0 && items.every((item) => typeof item === 'string' && PLAIN.test(item));
  }
}

/** Quotes a name for SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
