import type { Int64In, Sent } from './int64.js';

/** Types that are derived from the generated types of an operation. */

/** The paths that have this HTTP method. */
export type PathWith<Paths, Method extends string> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Method, object> ? Path : never;
}[keyof Paths] &
  `/${string}`;

/** The paths whose `POST` takes an `Idempotency-Key`: only such a `POST` can be retried. */
export type IdempotentPath<Paths> = {
  [Path in keyof Paths]: Paths[Path] extends { post: { parameters: { header?: infer Fields } } }
    ? 'Idempotency-Key' extends keyof NonNullable<Fields>
      ? Path
      : never
    : never;
}[keyof Paths] &
  `/${string}`;

export type OperationAt<Paths, Path, Method> = Path extends keyof Paths
  ? Method extends keyof Paths[Path]
    ? Paths[Path][Method]
    : never
  : never;

interface Json<Value> {
  content: { 'application/json': Value };
}

/** The body of a successful response. */
export type Result<Operation> = Operation extends { responses: infer Responses }
  ? Responses[keyof Responses & (200 | 201)] extends Json<infer Value>
    ? Value
    : never
  : never;

/** An item of the list. */
export type Item<Operation> = Result<Operation> extends (infer Element)[] ? Element : never;

/** The request body of the operation. */
export type Body<Operation> = Operation extends { requestBody: Json<infer Value> } ? Value : never;

/** The query of the operation, as a caller writes it. */
export type Query<Operation> = Operation extends { parameters: { query?: infer Value } }
  ? Sent<NonNullable<Value>>
  : never;

/** The path parameter of the operation, as a caller writes it. */
export type Id<Operation> = Operation extends { parameters: { path: infer Names } } ? Sent<Names[keyof Names]> : never;

/** A declaration of the places of int64 values. It may be omitted if there are no int64 values. */
export type Places<Name extends string, Value> = [Int64In<Value>] extends [never]
  ? Readonly<Partial<Record<Name, undefined>>>
  : Readonly<Record<Name, Int64In<Value>>>;
