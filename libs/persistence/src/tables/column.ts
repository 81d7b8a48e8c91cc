import type { Value } from '../sql/sql-executor.js';

/** The part of MikroORM's metadata of a property that is used here. */
export interface ColumnMetadata {
  readonly name: string;
  readonly fieldNames: readonly string[];
  readonly columnTypes: readonly string[];
  readonly runtimeType: string;
  readonly nullable?: boolean;
  readonly enum?: boolean;
  readonly items?: readonly unknown[];
}

/** The part of MikroORM's metadata of an entity that is used here. */
export interface TableMetadata {
  readonly tableName: string;
  readonly props: readonly (ColumnMetadata & { readonly primary?: boolean; readonly persist?: boolean })[];
}

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
          'its columns are integers, numeric, texts, booleans, timestamptz, date, uuid, json or jsonb. Read such a table by the entity manager',
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

/** How the values of a type of PostgreSQL are written as JSON, sent and read. */
export interface ColumnType {
  /** SQL: the value as JSON text, with the same bytes as `JSON.stringify` writes. */
  json(column: string): string;
  /** SQL: the value as text that `decode` reads. */
  text(column: string): string;
  /** The type of the statement's parameter. */
  readonly parameter: 'text' | 'bigint' | 'integer' | 'boolean';
  readonly encode: (value: unknown) => Value;
  decode(text: string, runtimeType: string): unknown;
}

const asText = (column: string) => `${column}::text`;

const INTEGER: ColumnType = {
  json: (column) => column,
  text: asText,
  parameter: 'bigint',
  encode: String,
  decode: (text, runtimeType) => (runtimeType === 'number' ? Number(text) : BigInt(text)),
};

const TEXT: ColumnType = {
  json: (column) => `to_json(${column})`,
  text: asText,
  parameter: 'text',
  encode: String,
  decode: (text) => text,
};

/** The digits as PostgreSQL has them, in JSON a string: a JSON number would be rounded by most of its readers. */
const NUMERIC: ColumnType = { ...TEXT, json: (column) => `'"' || ${column}::text || '"'` };

const BOOLEAN: ColumnType = {
  json: asText,
  text: asText,
  parameter: 'boolean',
  encode: Boolean,
  decode: (text) => text === 'true',
};

/** RFC 3339 in UTC, as `Date` writes it. PostgreSQL has microseconds, but a `Date` has only milliseconds. */
const inMilliseconds = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const INSTANT: ColumnType = {
  json: (column) => `'"' || ${inMilliseconds(column)} || '"'`,
  text: inMilliseconds,
  parameter: 'text',
  encode: (value) => (value as Date).toJSON(),
  decode: (text) => new Date(text),
};

/** The stored text. Only `JSON.stringify` writes it. */
const JSON_TEXT: ColumnType = {
  json: asText,
  text: asText,
  parameter: 'text',
  encode: (value) => JSON.stringify(value),
  decode: (text) => JSON.parse(text) as unknown,
};

/** PostgreSQL writes blanks between members, `JSON.stringify` does not. They are removed, but not inside of strings. */
const JSON_BINARY: ColumnType = {
  ...JSON_TEXT,
  json: (column) => String.raw`regexp_replace(${column}::text, '("(?:[^"\\]|\\.)*")|\s+', '\1', 'g')`,
};

const TYPES: readonly (readonly [pattern: RegExp, type: ColumnType])[] = [
  [/^(?:bigint|bigserial|int8)$/, INTEGER],
  [/^(?:int|integer|int4|serial|smallint|int2|smallserial)$/, INTEGER],
  [/^(?:text|uuid|date|(?:varchar|character varying)(?:\(\d+\))?)$/, TEXT],
  [/^(?:numeric|decimal)(?:\(\d+(?:, ?\d+)?\))?$/, NUMERIC],
  [/^(?:boolean|bool)$/, BOOLEAN],
  [/^(?:timestamptz(?:\(\d\))?|timestamp(?:\(\d\))? with time zone)$/, INSTANT],
  [/^json$/, JSON_TEXT],
  [/^jsonb$/, JSON_BINARY],
];

/** @returns `undefined` if declared tables do not support the type */
function columnTypeOf(name: string): ColumnType | undefined {
  return TYPES.find(([pattern]) => pattern.test(name))?.[1];
}
