import type { Int64In, Sent } from './int64.js';

/** What the generated types say of an operation. */

/** The paths that have this method. */
export type PathWith<Paths, Method extends string> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Method, object> ? Path : never;
}[keyof Paths] &
  `/${string}`;

/** The paths whose `POST` takes an `Idempotency-Key`: only that can be sent again. */
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

/** What it answers with when it succeeds. */
export type Result<Operation> = Operation extends { responses: infer Responses }
  ? Responses[keyof Responses & (200 | 201)] extends Json<infer Value>
    ? Value
    : never
  : never;

/** What it lists. */
export type Item<Operation> = Result<Operation> extends (infer Element)[] ? Element : never;

/** The body of its requests. */
export type Body<Operation> = Operation extends { requestBody: Json<infer Value> } ? Value : never;

/** The query of its requests, as a caller writes it. */
export type Query<Operation> = Operation extends { parameters: { query?: infer Value } }
  ? Sent<NonNullable<Value>>
  : never;

/** The parameter of its path, as a caller writes it. */
export type Id<Operation> = Operation extends { parameters: { path: infer Names } } ? Sent<Names[keyof Names]> : never;

/** A declaration that says where int64 are, and may be left out where there are none. */
export type Places<Name extends string, Value> = [Int64In<Value>] extends [never]
  ? Readonly<Partial<Record<Name, undefined>>>
  : Readonly<Record<Name, Int64In<Value>>>;
