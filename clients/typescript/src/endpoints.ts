import type { CallOptions, Send } from './call.js';
import { digitsOf, type Int64Places, type Sent } from './int64.js';
import { writeJson } from './json.js';
import { listing, type Listing, type Page } from './listing.js';
import { newId } from './new-id.js';
import type {
  Body,
  Id,
  IdempotentPath,
  Item,
  OperationAt,
  PathWith,
  Places,
  Query,
  Result,
} from './operation-types.js';

/** A declared operation. It takes the `send` function of the client and returns the function for the caller. */
export type Endpoint<Operation> = (send: Send) => Operation;

/** The options of an operation that reads. */
export interface ReadOptions<Value> extends CallOptions {
  /** An earlier result of this client. If it is still current, the call returns this same object. */
  readonly revalidate?: Value | undefined;
}

/** The options of an operation that adds a resource. */
export interface CreateOptions extends CallOptions {
  /** Identifies this addition: a request with the same key within 24 hours adds nothing again. Default: a new key. */
  readonly idempotencyKey?: string | undefined;
}

/** A function that lists. */
export type ListFunction<Operation> = (
  parameters?: Query<Operation> & ReadOptions<Page<Item<Operation>>>,
) => Listing<Item<Operation>>;

/** A function that reads one resource. */
export type GetFunction<Operation> = (
  id: Id<Operation>,
  options?: ReadOptions<Result<Operation>>,
) => Promise<Result<Operation>>;

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
    (path: AnyPath, { items }: Int64): Endpoint<(parameters?: ReadOptions<Page<unknown>>) => Listing<unknown>> =>
    (send) =>
    ({ signal, timeout, attemptTimeout, retries, headers, revalidate, ...query } = {}) =>
      listing(
        send,
        {
          operation: `GET ${path}`,
          query: queryOf(query),
          isList: true,
          int64: [items],
          options: { signal, timeout, attemptTimeout, retries, headers },
        },
        revalidate,
      ),

  get:
    (path: AnyPath, { answer }: Int64): Endpoint<(id: AnyId, options?: ReadOptions<object>) => Promise<object>> =>
    (send) =>
    async (id, { revalidate, ...options } = {}) =>
      (await send({ operation: `GET ${path}`, id: textOf(id), int64: answer, revalidate, options })).value,

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
