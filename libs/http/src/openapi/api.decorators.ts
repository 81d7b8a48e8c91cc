import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  getSchemaPath,
  ApiTags,
  type OpenAPIObject,
} from '@nestjs/swagger';
import { IDEMPOTENCY_KEY_HOURS } from '@animal-store/kernel';
import { headersOf } from './documented-headers.js';
import type { BaseErrorCode } from '../errors/error-codes.js';

/**
 * Where an operation of Swagger's document carries what the decorators of this file declare, until the document is
 * complete.
 */
export const LIST_EXTENSION = 'x-list';
export const GROUP_EXTENSION = 'x-group';
export const ERRORS_EXTENSION = 'x-errors';

/** The list of an operation. */
export interface List {
  /** The name of the page's schema. No class represents it. */
  readonly schema: string;
  readonly description: string;
  /** A reference to the schema of one item. */
  readonly item: string;
}

/** The resource of a module, as the OpenAPI document describes it. */
export interface ResourceOptions {
  /** The noun in the names of operations: `Pet` for `getPet`. */
  readonly name: string;
  /** The plural in the names of operations and of the page's schema, as in `listPets`. By default the noun with an `s`. */
  readonly plural?: string;
  /** The noun in a sentence: `pet`. */
  readonly one: string;
  /** The plural in a sentence. */
  readonly many?: string;
  /** The class of the resource in responses: the examples of its members make up the examples of responses. */
  readonly type: Type;
}

/** The properties of one operation, besides those of all operations of its kind. */
interface OperationOptions {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  /** The error codes besides those of all operations of its kind. */
  readonly errors?: readonly string[];
}

interface ListOptions extends OperationOptions {
  /** The order of the items, at the end of a sentence: `in ascending order of id` by default. */
  readonly order?: string;
}

interface CreateOptions extends OperationOptions {
  /** What the operation does, at the end of a sentence: `added` by default. */
  readonly done?: string;
  /** Whether it accepts an `Idempotency-Key`. */
  readonly idempotent?: boolean;
}

/** Describes the operations of a module in the OpenAPI document, each with one decorator on its handler. */
export class ApiResource {
  private readonly many: string;
  private readonly plural: string;
  private readonly content: Record<string, { schema: { $ref: string } }>;

  constructor(private readonly options: ResourceOptions) {
    const { name, one, type } = options;
    this.plural = options.plural ?? `${name}s`;
    this.many = options.many ?? `${one}s`;
    this.content = jsonOf(getSchemaPath(type));
  }

  /** For the controller: puts its operations into the group. */
  group(name: string, description: string): ClassDecorator {
    return applyDecorators(
      ApiTags(name),
      ApiExtension(GROUP_EXTENSION, { name, description } satisfies OperationGroup),
      ApiExtraModels(this.options.type),
    );
  }

  /** For an operation whose response comes from `Pages`. */
  list({ order = 'in ascending order of id', errors = [], ...options }: ListOptions = {}): MethodDecorator {
    const { plural, many } = this;
    const { one, type } = this.options;
    return applyDecorators(
      ApiOperation({
        operationId: `list${plural}`,
        summary: `List all ${many}`,
        description:
          `Returns a paginated list of ${many} ${order}. If more follow, the response has the header ` +
          '`Link: <…>; rel="next"` with the address of the next page. If you follow these links, you get every ' +
          `${one} exactly once, even while others are added.`,
        ...options,
      }),
      ApiExtension(LIST_EXTENSION, {
        schema: plural,
        description: `${capitalized(many)} ${order}.`,
        item: getSchemaPath(type),
      } satisfies List),
      ApiOkResponse({
        description: 'Success.',
        headers: headersOf('ETag', 'Link'),
        content: jsonOf(getSchemaPath(plural)),
      }),
      ApiErrors(...errors),
    );
  }

  /** For an operation that creates one item and responds with `HttpResponse.created`. */
  create(
    body: Type,
    { done = 'added', idempotent = false, errors = [], ...options }: CreateOptions = {},
  ): MethodDecorator {
    const { name, one } = this.options;
    return applyDecorators(
      ApiOperation({ operationId: `create${name}`, summary: `Add ${withArticle(one)}`, ...options }),
      ...(idempotent ? [ApiHeader(idempotencyKeyOf(one, done))] : []),
      ApiBody({ type: body, required: true, description: `The ${one} to be ${done}.` }),
      ApiCreatedResponse({
        description: `${capitalized(one)} ${done}.`,
        headers: headersOf('ETag', 'Location', ...(idempotent ? (['Idempotent-Replayed'] as const) : [])),
        content: this.content,
      }),
      ApiErrors(...(idempotent ? ['idempotency_key_reused'] : []), ...errors),
    );
  }

  /** For an operation that gets one item by its id. */
  get(options: OperationOptions = {}): MethodDecorator {
    const found = ApiOkResponse({ description: 'Found.', headers: headersOf('ETag'), content: this.content });
    const description = `Returns details of one ${this.options.one} by ID.`;
    return this.ofItem('get', 'retrieve', found, { description, ...options });
  }

  /** For an operation that changes one item and responds with its new state: 200, also if it is a `POST`. */
  change(verb: string, options: OperationOptions = {}): MethodDecorator {
    const description = `The ${this.options.one} after the change.`;
    const changed = ApiOkResponse({ description, headers: headersOf('ETag'), content: this.content });
    return applyDecorators(HttpCode(200), this.ofItem(verb, verb, changed, options));
  }

  /** For an operation that removes one item and responds without a body: 204. */
  remove(options: OperationOptions = {}): MethodDecorator {
    const removed = ApiNoContentResponse({ description: `${capitalized(this.options.one)} removed.` });
    return applyDecorators(HttpCode(204), this.ofItem('remove', 'remove', removed, options));
  }

  /** @param purpose what the client needs the id for, as a verb */
  private ofItem(
    verb: string,
    purpose: string,
    response: MethodDecorator,
    { errors = [], ...options }: OperationOptions,
  ): MethodDecorator {
    const { name, one } = this.options;
    return applyDecorators(
      ApiOperation({
        operationId: `${camelCase(verb)}${name}`,
        summary: `${capitalized(verb)} ${withArticle(one)}`,
        ...options,
      }),
      ApiParam({
        name: `${name.charAt(0).toLowerCase()}${name.slice(1)}Id`,
        description: `The ID of the ${one} to ${purpose}.`,
        schema: { type: 'integer', format: 'int64', minimum: 1 },
        example: 1,
      }),
      response,
      ApiErrors('not_found', ...errors),
    );
  }
}

function jsonOf($ref: string): Record<string, { schema: { $ref: string } }> {
  return { 'application/json': { schema: { $ref } } };
}

function idempotencyKeyOf(one: string, done: string) {
  return {
    name: 'Idempotency-Key',
    description:
      `Makes it safe to repeat the request. Send a new value, such as a UUID, for each new ${one}. Within ` +
      `${IDEMPOTENCY_KEY_HOURS} hours, requests with the same value and the same API key have the same response, also ` +
      `those that are sent at the same time: one ${one} is ${done}. Their bodies must describe the same ${one}. An error is not remembered: send the ` +
      'request again with the same value, corrected if necessary.',
    required: false,
    example: '0b5d3c0e-1f4a-4c7e-9a52-d2a6f1c8e473',
    schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  };
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** `check in` as `checkIn`. */
function camelCase(words: string): string {
  return words.replaceAll(/ +(?<letter>.)/g, (_, letter: string) => letter.toUpperCase());
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A group of operations in the OpenAPI document, which calls a group a tag. */
export type OperationGroup = NonNullable<OpenAPIObject['tags']>[number];

/**
 * Documents the errors of an operation besides those of all operations.
 *
 * @param codes codes of the base, or codes that a module registered
 */
export function ApiErrors(...codes: (BaseErrorCode | (string & {}))[]): MethodDecorator {
  return ApiExtension(ERRORS_EXTENSION, [...new Set(codes)]);
}
