import type { Send } from './call.js';
import { digitsOf, type Int64In, type Int64Places, type Sent } from './int64.js';
import { writeJson } from './json.js';
import { listing, type Listing } from './listing.js';
import { newId } from './new-id.js';
import type { CallOptions } from './options.js';

/** The options of an operation that adds a resource. */
export interface CreateOptions extends CallOptions {
  /** Identifies this addition: a request with the same key within 24 hours adds nothing again. Default: a new key. */
  readonly idempotencyKey?: string | undefined;
}

/** The operation of an API at this path. `Paths` are the types that openapi-typescript generates. */
type OperationAt<Paths, Path, Method> = Path extends keyof Paths
  ? Method extends keyof Paths[Path]
    ? Paths[Path][Method]
    : never
  : never;

/** The paths that have this HTTP method. */
type PathWith<Paths, Method extends string> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Method, object> ? Path : never;
}[keyof Paths] &
  `/${string}`;

/** The paths whose `POST` takes an `Idempotency-Key`: only such a `POST` can be retried. */
type IdempotentPath<Paths> = {
  [Path in keyof Paths]: Paths[Path] extends { post: { parameters: { header?: infer Fields } } }
    ? 'Idempotency-Key' extends keyof NonNullable<Fields>
      ? Path
      : never
    : never;
}[keyof Paths] &
  `/${string}`;

interface Json<Value> {
  content: { 'application/json': Value };
}

/** The body of a successful response. */
type Result<Operation> = Operation extends { responses: infer Responses }
  ? Responses[keyof Responses & (200 | 201)] extends Json<infer Value>
    ? Value
    : never
  : never;

/** An item of the list. */
type Item<Operation> = Result<Operation> extends (infer Element)[] ? Element : never;

/** The request body of the operation. */
type Body<Operation> = Operation extends { requestBody: Json<infer Value> } ? Value : never;

/** The query of the operation, as a caller writes it. */
type Query<Operation> = Operation extends { parameters: { query?: infer Value } } ? Sent<NonNullable<Value>> : never;

/** The path parameter of the operation, as a caller writes it. */
type Id<Operation> = Operation extends { parameters: { path: infer Names } } ? Sent<Names[keyof Names]> : never;

/** A declaration of the places of int64 values. It may be omitted if there are no int64 values. */
type Places<Name extends string, Value> = [Int64In<Value>] extends [never]
  ? Readonly<Partial<Record<Name, undefined>>>
  : Readonly<Record<Name, Int64In<Value>>>;

/** A declared operation. It takes the `send` function of the client and returns the function for the caller. */
export type Endpoint<Operation> = (send: Send) => Operation;

/** A function that lists. */
export type ListFunction<Operation> = (parameters?: Query<Operation> & CallOptions) => Listing<Item<Operation>>;

/** A function that reads one resource. */
export type GetFunction<Operation> = (id: Id<Operation>, options?: CallOptions) => Promise<Result<Operation>>;

/** A function that adds a resource. */
export type CreateFunction<Operation> = (
  body: Sent<Body<Operation>>,
  options?: CreateOptions,
) => Promise<Result<Operation>>;

/** A function that changes one resource. */
export type ChangeFunction<Operation> = (id: Id<Operation>, options?: CallOptions) => Promise<Result<Operation>>;

/**
 * Declares the operations of an API. Each declaration names the path of the operation and the places of its int64 values.
 *
 * @template Paths the types that openapi-typescript generates, with `bigint` for int64
 */
export interface Endpoints<Paths> {
  /** Reads a list page by page. The header field `Link` leads to the next page. */
  readonly list: <Path extends PathWith<Paths, 'get'>>(
    path: Path,
    int64: Places<'items', Item<OperationAt<Paths, Path, 'get'>>>,
  ) => Endpoint<ListFunction<OperationAt<Paths, Path, 'get'>>>;

  /** Reads one resource by its id. */
  readonly get: <Path extends PathWith<Paths, 'get'>>(
    path: Path,
    int64: Places<'answer', Result<OperationAt<Paths, Path, 'get'>>>,
  ) => Endpoint<GetFunction<OperationAt<Paths, Path, 'get'>>>;

  /** Adds a resource with an `Idempotency-Key`. The client retries the call if the response was lost. */
  readonly create: <Path extends IdempotentPath<Paths>>(
    path: Path,
    int64: Places<'body', Body<OperationAt<Paths, Path, 'post'>>> &
      Places<'answer', Result<OperationAt<Paths, Path, 'post'>>>,
  ) => Endpoint<CreateFunction<OperationAt<Paths, Path, 'post'>>>;

  /** Changes one resource by its id. The client never retries the call, because it may have been carried out. */
  readonly change: <Path extends PathWith<Paths, 'post'>>(
    path: Path,
    int64: Places<'answer', Result<OperationAt<Paths, Path, 'post'>>>,
  ) => Endpoint<ChangeFunction<OperationAt<Paths, Path, 'post'>>>;
}

type AnyId = string | number | bigint;
type AnyPath = `/${string}`;
type Int64 = Readonly<Record<string, Int64Places>>;

/** The endpoints without the types of any API. */
const ENDPOINTS = {
  list:
    (path: AnyPath, { items }: Int64): Endpoint<(parameters?: CallOptions) => Listing<unknown>> =>
    (send) =>
    ({ signal, timeout, attemptTimeout, retries, headers, ...query } = {}) =>
      listing(send, {
        operation: `GET ${path}`,
        query: queryOf(query),
        isList: true,
        int64: [items],
        options: { signal, timeout, attemptTimeout, retries, headers },
      }),

  get:
    (path: AnyPath, { answer }: Int64): Endpoint<(id: AnyId, options?: CallOptions) => Promise<object>> =>
    (send) =>
    async (id, options = {}) =>
      (await send({ operation: `GET ${path}`, id: textOf(id), int64: answer, options })).value,

  create:
    (
      path: AnyPath,
      { body: ofBody, answer }: Int64,
    ): Endpoint<(body: object, options?: CreateOptions) => Promise<object>> =>
    (send) =>
    async (value, { idempotencyKey = newId(), ...options } = {}) => {
      const body = writeJson(value, ofBody);
      return (await send({ operation: `POST ${path}`, body, idempotencyKey, int64: answer, options })).value;
    },

  change:
    (path: AnyPath, { answer }: Int64): Endpoint<(id: AnyId, options?: CallOptions) => Promise<object>> =>
    (send) =>
    async (id, options = {}) =>
      (await send({ operation: `POST ${path}`, id: textOf(id), int64: answer, options })).value,
};

/**
 * The functions that declare operations, for an API with these paths.
 *
 * @template Paths the paths of the API that has the operations
 */
export function endpointsOf<Paths>(): Endpoints<Paths> {
  return ENDPOINTS as unknown as Endpoints<Paths>;
}

/** @throws TypeError if the number has lost digits or is not an integer */
function textOf(id: AnyId): string {
  return encodeURIComponent(typeof id === 'string' ? id : digitsOf(id));
}

type QueryValue = AnyId | boolean | undefined;

function queryOf(query: Readonly<Record<string, QueryValue | readonly QueryValue[]>>): string {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat())
      if (value !== undefined) search.append(name, Number.isInteger(value) ? digitsOf(value as number) : String(value));
  return search.toString();
}
