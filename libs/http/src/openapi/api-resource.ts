import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  getSchemaPath,
} from '@nestjs/swagger';
import { INVALID_LIMIT } from '../pages/page-limit.js';
import { RequestError } from '../errors/request.errors.js';
import { ApiErrorMessages, ApiErrors } from './errors.decorators.js';
import { ApiNotModified } from './not-modified.decorator.js';
import { ApiGroup } from './api-group.js';
import { headersOf } from './headers.js';
import { ListedItems } from './listed-items.decorator.js';
import type { CreateOptions, OperationOptions } from './operation-options.js';
import type { Example, ResourceOptions } from './resource-options.js';

/** Describes the operations of a module in the OpenAPI document, each with one decorator on its handler. */
export class ApiResource {
  private readonly many: string;
  private readonly plural: string;
  private readonly content: Record<string, { schema: { $ref: string }; example: unknown }>;

  constructor(private readonly options: ResourceOptions) {
    const { name, one, type, example } = options;
    this.plural = options.plural ?? `${name}s`;
    this.many = options.many ?? `${one}s`;
    this.content = { 'application/json': { schema: { $ref: getSchemaPath(type) }, example } };
  }

  /** For the controller: puts its operations into the group. */
  group(name: string, description: string): ClassDecorator {
    return applyDecorators(ApiGroup(name, description), ApiBearerAuth('bearerAuth'), ApiExtraModels(this.options.type));
  }

  /** For an operation whose response comes from `Pages`. */
  list({ errors = [], messages, ...options }: OperationOptions = {}): MethodDecorator {
    const { plural, many } = this;
    const { one, type, example, moreExamples = [] } = this.options;
    return applyDecorators(
      ApiOperation({
        operationId: `list${plural}`,
        summary: `List all ${many}`,
        description:
          `Returns a paginated list of ${many} in ascending order of id. Where more follow, the answer carries ` +
          `\`Link: <…>; rel="next"\`: the address of the next page. Following it visits every ${one} exactly once, ` +
          'while others are being added.',
        ...options,
      }),
      ListedItems({ schema: plural, many, type }),
      ApiOkResponse({
        description: 'Success.',
        headers: headersOf('ETag', 'Link'),
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${plural}` },
            ...examplesOf([example, ...moreExamples]),
          },
        },
      }),
      ApiNotModified('Link'),
      ApiErrors(...errors),
      ApiErrorMessages({ invalid_request: INVALID_LIMIT, ...messages }),
    );
  }

  /** For an operation that creates one item and responds with `HttpResponse.created`. */
  create(
    body: Type,
    { done = 'added', idempotent = false, errors = [], messages = {}, ...options }: CreateOptions = {},
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
      ApiErrorMessages(messages),
    );
  }

  /** For an operation that gets one item by its id. */
  get({ errors = [], messages, ...options }: OperationOptions = {}): MethodDecorator {
    const { name, one } = this.options;
    return applyDecorators(
      ApiOperation({
        operationId: `get${name}`,
        summary: `Get ${withArticle(one)}`,
        description: `Returns details of one ${one} by ID.`,
        ...options,
      }),
      this.id('retrieve'),
      ApiOkResponse({ description: 'Found.', headers: headersOf('ETag'), content: this.content }),
      ApiNotModified(),
      ApiErrors('not_found', ...errors),
      ApiErrorMessages({ not_found: RequestError.noSuch(one).message, ...messages }),
    );
  }

  /** For an operation that changes one item and responds with its new state: `@HttpCode(200)`. */
  change(verb: string, { errors = [], messages, ...options }: OperationOptions = {}): MethodDecorator {
    const { name, one } = this.options;
    return applyDecorators(
      ApiOperation({
        operationId: `${verb}${name}`,
        summary: `${capitalized(verb)} ${withArticle(one)}`,
        ...options,
      }),
      this.id(verb),
      ApiOkResponse({ description: `What the ${one} has become.`, headers: headersOf('ETag'), content: this.content }),
      ApiErrors('not_found', ...errors),
      ApiErrorMessages({ not_found: RequestError.noSuch(one).message, ...messages }),
    );
  }

  private id(verb: string): MethodDecorator {
    const { name, one, example } = this.options;
    return ApiParam({
      name: `${name.charAt(0).toLowerCase()}${name.slice(1)}Id`,
      description: `The ID of the ${one} to ${verb}.`,
      schema: { type: 'integer', format: 'int64', minimum: 1, example: example.id },
    });
  }
}

/**
 * Tools that read numbers as JavaScript does report ids beyond 2^53 as wrong: the first example, which they use, has
 * none.
 */
function examplesOf(items: readonly Example[]) {
  const exact = items.filter(({ id }) => typeof id === 'bigint');
  const others = items.filter(({ id }) => typeof id !== 'bigint');
  if (exact.length === 0) return { example: items };
  return {
    examples: {
      page: { summary: 'A page', value: others },
      beyondDoubles: { summary: 'Ids beyond 2^53, which JSON.parse of JavaScript rounds', value: exact },
    },
  };
}

function idempotencyKeyOf(one: string, done: string) {
  return {
    name: 'Idempotency-Key',
    description:
      'Names this request, best with a new UUID: however often it is sent within 24 hours, at once or again, by ' +
      `holders of the same API key, one ${one} is ${done}, and each answer is the first one. Bodies are the same ` +
      `when they mean the same ${one}. Only additions are remembered: after an error send the request again as it is, ` +
      'or correct it under the same key.',
    required: false,
    schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  };
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
