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

/** A column of a declared table: how its values are written in SQL and read from results. */
export interface Column {
  /** The name of the property. */
  readonly name: string;
  /** The name of the column. */
  readonly field: string;
  /** The same, quoted. */
  readonly sql: string;
  readonly nullable: boolean;
  /** The SQL type of a parameter for its values. */
  readonly parameter: string;
  /** SQL: the value as JSON, with the same bytes as `JSON.stringify` writes; null if the value is null. */
  readonly json: string;
  /** SQL: the value as text for `decode`. */
  readonly text: string;
  /** @returns the parameter for a value; null for a missing one */
  readonly encode: (value: unknown) => Value;
  readonly decode: (text: string | null) => unknown;
}

/** @throws Error if a declared table cannot have this column */
export function columnOf(table: string, metadata: ColumnMetadata): Column {
  const [field, ...others] = metadata.fieldNames;
  const [columnType = ''] = metadata.columnTypes;
  const type = TYPES.find(([pattern]) => pattern.test(columnType))?.[1];
  if (field === undefined || others.length > 0 || type === undefined) {
    throw new Error(
      `The property ${metadata.name} of the table ${table} (${columnType}) can't be part of a declared table: ` +
        'its columns are integers, numeric, texts, booleans, timestamptz, date, uuid, json or jsonb. Read such a table by the entity manager',
    );
  }
  const sql = quoted(field);
  const { json = asText, text = asText, encode, decode } = type;
  return {
    name: metadata.name,
    field,
    sql,
    nullable: metadata.nullable === true,
    // PostgreSQL cuts a value that is cast to a varchar, but refuses to store a text that is too long.
    parameter: columnType.includes('char') ? 'text' : columnType.replace('serial', 'int'),
    json: isPlain(metadata) ? inQuotes(sql) : json(sql),
    text: text(sql),
    encode: (value) => (value === undefined || value === null ? null : encode(value)),
    decode: (value) => (value === null ? undefined : decode(value, metadata.runtimeType)),
  };
}

/** Quotes a name for SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Whether the column is an enumeration whose values need no escape in JSON. */
function isPlain({ enum: isEnum = false, items = [] }: ColumnMetadata): boolean {
  return isEnum && items.length > 0 && items.every((item) => typeof item === 'string' && /^[\w -]*$/.test(item));
}

const asText = (column: string) => `${column}::text`;
const inQuotes = (value: string) => `'"' || ${value} || '"'`;

/** How the values of a type of PostgreSQL are written as JSON, sent and read. Without a function for SQL, it is the text. */
interface ColumnType {
  readonly json?: (column: string) => string;
  readonly text?: (column: string) => string;
  readonly encode: (value: unknown) => Value;
  readonly decode: (text: string, runtimeType: string) => unknown;
}

const INTEGER: ColumnType = {
  json: (column) => column,
  encode: String,
  decode: (text, runtimeType) => (runtimeType === 'number' ? Number(text) : BigInt(text)),
};

const TEXT: ColumnType = {
  json: (column) => `to_json(${column})`,
  encode: String,
  decode: (text) => text,
};

/** The digits as PostgreSQL has them, in JSON a string: a JSON number would be rounded by most of its readers. */
const NUMERIC: ColumnType = { ...TEXT, json: (column) => inQuotes(asText(column)) };

const BOOLEAN: ColumnType = { encode: Boolean, decode: (text) => text === 'true' };

/** RFC 3339 in UTC, as `Date` writes it. PostgreSQL has microseconds, but a `Date` has only milliseconds. */
const inMilliseconds = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const INSTANT: ColumnType = {
  json: (column) => inQuotes(inMilliseconds(column)),
  text: inMilliseconds,
  encode: (value) => (value as Date).toJSON(),
  decode: (text) => new Date(text),
};

/** The stored text. Only `JSON.stringify` writes it. */
const JSON_TEXT: ColumnType = {
  encode: (value) => JSON.stringify(value),
  decode: (text) => JSON.parse(text) as unknown,
};

/** PostgreSQL writes blanks between members, `JSON.stringify` does not. They are removed, but not inside of strings. */
const JSON_BINARY: ColumnType = {
  ...JSON_TEXT,
  json: (column) => String.raw`regexp_replace(${column}::text, '("(?:[^"\\]|\\.)*")|\s+', '\1', 'g')`,
};

const TYPES: readonly (readonly [pattern: RegExp, type: ColumnType])[] = [
  [/^(?:bigint|bigserial|int8|int|integer|int4|serial|smallint|int2|smallserial)$/, INTEGER],
  [/^(?:text|uuid|date|(?:varchar|character varying)(?:\(\d+\))?)$/, TEXT],
  [/^(?:numeric|decimal)(?:\(\d+(?:, ?\d+)?\))?$/, NUMERIC],
  [/^(?:boolean|bool)$/, BOOLEAN],
  [/^(?:timestamptz(?:\(\d\))?|timestamp(?:\(\d\))? with time zone)$/, INSTANT],
  [/^json$/, JSON_TEXT],
  [/^jsonb$/, JSON_BINARY],
];
