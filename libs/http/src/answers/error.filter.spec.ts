import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  BadRequestException,
  ForbiddenException,
  InternalServerErrorException,
  Logger,
  NotFoundException,
  ServiceUnavailableException,
} from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { InvalidPetError, PetNotFoundError } from '@animal-store/pets-domain';
import { ErrorFilter } from './error.filter.js';
import { RequestError, STATUS_OF_KIND, type ErrorKind } from '../errors/request.errors.js';

const { jest } = import.meta;

/** As an error of a module that does not know this one. */
function errorOf(kind: string, extra: object = {}): Error {
  return Object.assign(new Error('What went wrong'), { kind, code: 'conflict', ...extra });
}

class Exchange {
  readonly request = new IncomingMessage(new Socket());
  readonly response = new ServerResponse(this.request);
  private readonly end = jest.spyOn(this.response, 'end');
  private readonly writeHead = jest.spyOn(this.response, 'writeHead');

  catch(thrown: unknown): this {
    new ErrorFilter().catch(thrown, new ExecutionContextHost([this.request, this.response]));
    return this;
  }

  /** The body is sent at the end of the turn. */
  get text(): Promise<string> {
    return nextTurn().then(() => String(this.end.mock.calls[0]?.[0]));
  }

  /** The value of a header field, as it was written. */
  header(name: string): string | undefined {
    const fields = this.writeHead.mock.calls[0]?.[1] as unknown as string[];
    return fields.find((_, index) => index % 2 === 1 && fields[index - 1]?.toLowerCase() === name);
  }

  get body(): Promise<unknown> {
    return this.text.then((text) => JSON.parse(text) as unknown);
  }
}

function answerTo(thrown: unknown): Exchange {
  return new Exchange().catch(thrown);
}

const log = {
  log: jest.fn<undefined, [unknown]>(),
  error: jest.fn<undefined, [unknown]>(),
  warn: jest.fn<undefined, [unknown]>(),
};

beforeEach(() => {
  jest.clearAllMocks();
  Logger.overrideLogger(log);
});

describe('an error of whatever module', () => {
  test.each(Object.entries(STATUS_OF_KIND))('of the kind %s becomes the status %i', (kind, status) => {
    expect(answerTo(errorOf(kind)).response.statusCode).toBe(status);
  });

  test('becomes a body of its code, its message and the status', async () => {
    expect(await answerTo(errorOf('conflict')).body).toEqual({
      code: 'conflict',
      message: 'What went wrong',
      status: 409,
    });
  });

  test('becomes JSON of these three members in this order', async () => {
    expect(await answerTo(new PetNotFoundError(7n)).text).toBe(
      '{"code":"not_found","message":"There is no animal with the id 7","status":404}',
    );
  });

  test('says that it is JSON', () => {
    expect(answerTo(errorOf('conflict')).header('content-type')).toBe('application/json');
  });

  test('may bring header fields', () => {
    expect(answerTo(RequestError.methodNotAllowed('PUT', 'GET, HEAD')).header('allow')).toBe('GET, HEAD');
  });

  test('of the domain is known by its kind', async () => {
    expect(await answerTo(new InvalidPetError(['name must be a string'])).body).toEqual({
      code: 'invalid_request',
      message: 'name must be a string',
      status: 400,
    });
  });

  test('may challenge the client', () => {
    const exchange = answerTo(errorOf('unauthorized', { challenge: 'Bearer realm="animal-store"' }));
    expect(exchange.header('www-authenticate')).toBe('Bearer realm="animal-store"');
  });

  test('that says the service is away tells when to try again', () => {
    expect(answerTo(errorOf('unavailable')).header('retry-after')).toBe('1');
  });

  test('that says the service is away is logged with its cause, which the client does not see', async () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.7:5432');
    const text = await answerTo(errorOf('unavailable', { cause })).text;
    expect({ leaked: text.includes('ECONNREFUSED'), logged: log.warn.mock.calls[0]?.[0] }).toEqual({
      leaked: false,
      logged: { err: cause },
    });
  });

  test.each(['conflict', 'invalid', 'not_found', 'unauthorized'] satisfies ErrorKind[])(
    'of the kind %s does not tell when to try again',
    (kind) => {
      expect(answerTo(errorOf(kind)).header('retry-after')).toBeUndefined();
    },
  );
});

describe('an error that nobody knows', () => {
  const SECRET = 'select * from pets where secret = 1';
  const UNKNOWN = { code: 'internal_error', message: 'The service failed to handle the request', status: 500 };

  test.each([
    ['an error', new Error(SECRET)],
    ['an error with a code alone', Object.assign(new Error(SECRET), { code: '42P01' })],
    ['an error of a kind that does not exist', errorOf('sorcery')],
    ['a refusal of Nest that blames the service', new InternalServerErrorException(SECRET)],
    ['another refusal of Nest that blames the service', new ServiceUnavailableException(SECRET)],
    ['a text', SECRET],
    ['nothing', undefined],
    ['null', null],
    ['an object like an error', { kind: 'conflict', code: 'conflict', message: SECRET }],
  ])('says nothing of its cause: %s', async (_what, thrown) => {
    expect(await answerTo(thrown).body).toEqual(UNKNOWN);
  });

  test('is logged', () => {
    const thrown = new Error(SECRET);
    answerTo(thrown);
    expect(log.error.mock.calls[0]?.[0]).toEqual({ err: thrown });
  });
});

describe('a refusal of Nest', () => {
  test('that found nothing does not repeat the address', async () => {
    expect(await answerTo(new NotFoundException('Cannot GET /v1/secret')).body).toEqual({
      code: 'not_found',
      message: 'There is nothing at this address',
      status: 404,
    });
  });

  test('that blames the client keeps its message', async () => {
    expect(await answerTo(new BadRequestException('What is wrong')).body).toEqual({
      code: 'invalid_request',
      message: 'What is wrong',
      status: 400,
    });
  });

  test('keeps its status where no code is made for it', async () => {
    expect(await answerTo(new ForbiddenException('Not you')).body).toEqual({
      code: 'invalid_request',
      message: 'Not you',
      status: 403,
    });
  });

  test('is not logged as a failure', () => {
    answerTo(new BadRequestException('What is wrong'));
    expect(log.error).not.toHaveBeenCalled();
  });
});

describe('an error behind the head of the answer', () => {
  test('ends the connection, as nothing else can be said any more', () => {
    const exchange = new Exchange();
    exchange.response.writeHead(200);
    exchange.catch(new Error('Too late'));
    expect(exchange.response.destroyed).toBe(true);
  });
});
