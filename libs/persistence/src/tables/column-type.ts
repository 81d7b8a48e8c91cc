import type { Value } from '../sql/sql-executor.js';

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
  [/^(?:boolean|bool)$/, BOOLEAN],
  [/^(?:timestamptz(?:\(\d\))?|timestamp(?:\(\d\))? with time zone)$/, INSTANT],
  [/^json$/, JSON_TEXT],
  [/^jsonb$/, JSON_BINARY],
];

/** @returns `undefined` if declared tables do not support the type */
export function columnTypeOf(name: string): ColumnType | undefined {
  return TYPES.find(([pattern]) => pattern.test(name))?.[1];
}
