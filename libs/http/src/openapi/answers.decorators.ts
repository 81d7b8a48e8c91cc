import { applyDecorators, Injectable, SetMetadata, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { routeHandlers } from '../requests/route-handlers.js';
import { ApiExtension, ApiHeader, ApiResponse, getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { ErrorCodes, type BaseErrorCode, type ErrorCodeEntry } from '../errors/error-codes.js';
import { ErrorResponse } from '../errors/error.response.js';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Responses = Operation['responses'];
type Answer = Exclude<NonNullable<Responses[string]>, { $ref: string }>;
type Headers = NonNullable<Answer['headers']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Exclude<Schemas[string], { $ref: string }>;

const RETRY_AFTER = { description: 'Seconds to wait before the next try.', schema: { type: 'integer' as const } };

const HEADERS_OF_ERROR: Readonly<Record<string, Headers>> = {
  unauthorized: {
    'WWW-Authenticate': { description: 'The challenge (RFC 6750).', schema: { type: 'string' as const } },
  },
  rate_limited: {
    'Retry-After': RETRY_AFTER,
    'RateLimit-Policy': {
      description:
        'How many requests (`q`) the API key may send in how many seconds (`w`), where a limit is set: on every answer, ' +
        'as draft-ietf-httpapi-ratelimit-headers-10 has it.',
      schema: { type: 'string' as const },
      example: '"default";q=600;w=60',
    },
    RateLimit: {
      description:
        'How many requests are left (`r`), and after how many seconds (`t`) there are more: on every answer.',
      schema: { type: 'string' as const },
      example: '"default";r=0;t=30',
    },
  },
  service_unavailable: { 'Retry-After': RETRY_AFTER },
};

/** What every operation may answer with, whatever it does. */
const ALWAYS_POSSIBLE: readonly BaseErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];

/** Where {@link ApiErrors} leaves its codes in the document until {@link describeErrors} replaces them. */
const CODES = 'x-error-codes';

/**
 * Documents the errors that an operation answers with, beside those that all do: the Error body, with an example of each code.
 *
 * @param codes those of the base, and those that a module registered
 */
export function ApiErrors(...codes: (BaseErrorCode | (string & {}))[]): MethodDecorator {
  const all = [...new Set([...ALWAYS_POSSIBLE, ...codes])];
  return applyDecorators(SetMetadata(CODES, all), ApiExtension(CODES, all));
}

/** Refuses the start of an application whose operations name codes that none of its modules registers. */
@Injectable()
export class DescribedErrorCodes implements OnModuleInit {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly codes: ErrorCodes,
  ) {}

  /** All modules have registered theirs by now. */
  onModuleInit(): void {
    for (const { controller, name, handler } of routeHandlers(this.modules)) {
      for (const code of (Reflect.getMetadata(CODES, handler) as string[] | undefined) ?? []) {
        if (this.codes.find(code) !== undefined) continue;
        throw new Error(`ApiErrors of ${controller}.${name} names "${code}", which no module registers`);
      }
    }
  }
}

/**
 * Writes what is known of the error codes of the application into its document: the values of `code`, and the answers of
 * every operation that {@link ApiErrors} names codes of.
 */
export function describeErrors(document: OpenAPIObject, codes: ErrorCodes): void {
  const error = document.components?.schemas?.['Error'] as Schema | undefined;
  const code = error?.properties?.['code'] as Schema | undefined;
  if (code !== undefined) code.enum = codes.all().map(([name]) => name);
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item) as unknown[])) {
    if (typeof operation === 'object' && operation !== null && CODES in operation) describeErrorsOf(operation, codes);
  }
}

function describeErrorsOf(operation: { [CODES]?: unknown }, codes: ErrorCodes): void {
  const { responses } = operation as Operation;
  const described = new Map<number, DescribedCode[]>();
  for (const code of operation[CODES] as string[]) {
    const entry = codes.find(code);
    if (entry === undefined) continue;
    described.set(entry.status, [...(described.get(entry.status) ?? []), { code, ...entry }]);
  }
  for (const [status, answers] of described) responses[status] ??= responseOf(answers);
  Reflect.deleteProperty(operation, CODES);
}

interface DescribedCode extends ErrorCodeEntry {
  readonly code: string;
}

/** One answer for all codes of a status. */
function responseOf(answers: readonly DescribedCode[]): Answer {
  const headers = Object.assign({}, ...answers.map(({ code }) => HEADERS_OF_ERROR[code])) as Headers;
  const examples = answers.map(({ code, status, meaning }) => [
    code,
    { value: { code, message: meaning.replaceAll('`', ''), status } },
  ]);
  return {
    description: answers.map(({ meaning }) => meaning).join(' '),
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      'application/json': {
        schema: { $ref: getSchemaPath(ErrorResponse) },
        ...(answers.length === 1
          ? { example: (examples[0]?.[1] as { value: unknown }).value }
          : { examples: Object.fromEntries(examples) as Record<string, { value: unknown }> }),
      },
    },
  };
}

/** Documents the conditional request of a read. */
export function ApiNotModified(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      description: 'Entity tags that the client holds; the answer is 304 when one of them is current.',
      required: false,
      schema: { type: 'string' },
    }),
    ApiResponse({ status: 304, description: 'The copy that the client holds is current; there is no body.' }),
  );
}
