import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  BadGatewayException,
  BadRequestException,
  ConflictException,
  HttpException,
  InternalServerErrorException,
  Logger,
  NotFoundException,
  ServiceUnavailableException,
  UnauthorizedException,
  UnprocessableEntityException,
} from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { PetNotFoundError } from '@animal-store/pets-domain';
import { ErrorFilter } from './error.filter.js';
import { Exchange } from '../requests/exchange.js';
import { ErrorCodes, STATUS_OF_KIND } from '../errors/error-codes.js';
import { RequestError } from '../errors/request.errors.js';

const { jest } = import.meta;

/** As an error of a module that does not know this one. */
function errorOf(kind: string, extra: object = {}): Error {
  return Object.assign(new Error('What went wrong'), { kind, code: 'conflict', ...extra });
}

let filter: ErrorFilter;

class Caught {
  readonly request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/v1/secret' });
  readonly response = Object.assign(new ServerResponse(this.request), { exchange: new Exchange({ requestId: 'id' }) });
  private readonly end = jest.spyOn(this.response, 'end');
  private readonly writeHead = jest.spyOn(this.response, 'writeHead');

  catch(thrown: unknown): this {
    filter.catch(thrown, new ExecutionContextHost([this.request, this.response]));
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

function responseTo(thrown: unknown): Caught {
  return new Caught().catch(thrown);
}

const log = {
  log: jest.fn<undefined, [unknown]>(),
  error: jest.fn<undefined, [unknown]>(),
  warn: jest.fn<undefined, [unknown]>(),
};

beforeEach(() => {
  jest.clearAllMocks();
  Logger.overrideLogger(log);
  const codes = new ErrorCodes();
  codes.register([{ code: 'out_of_stock', kind: 'conflict', meaning: 'There are not enough of them.' }]);
  filter = new ErrorFilter(codes, { translate: (thrown) => thrown });
});

describe('an error of whatever module', () => {
  test.each(Object.entries(STATUS_OF_KIND))('of the kind %s becomes the status %i', (kind, status) => {
    expect(responseTo(errorOf(kind)).response.statusCode).toBe(status);
  });

  test('becomes JSON of these three members in this order', async () => {
    expect(await responseTo(new PetNotFoundError(7n)).text).toBe(
      '{"code":"not_found","message":"There is no animal with the id 7","status":404}',
    );
  });

  test('may bring header fields', () => {
    expect(responseTo(RequestError.methodNotAllowed('PUT', 'GET, HEAD')).header('allow')).toBe('GET, HEAD');
  });

  test('may challenge the client', () => {
    const exchange = responseTo(errorOf('unauthorized', { challenge: 'Bearer realm="animal-store"' }));
    expect(exchange.header('www-authenticate')).toBe('Bearer realm="animal-store"');
  });

  test('that says the service is away tells when to try again', () => {
    expect(responseTo(errorOf('unavailable')).header('retry-after')).toBe('1');
  });

  test('that says the service is away is logged with its cause, which the client does not see', async () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.7:5432');
    const text = await responseTo(errorOf('unavailable', { cause })).text;
    expect({ leaked: text.includes('ECONNREFUSED'), logged: log.warn.mock.calls[0]?.[0] }).toEqual({
      leaked: false,
      logged: { err: cause },
    });
  });

  test('that was told to the log already is not told again', () => {
    responseTo(errorOf('unavailable', { isLogged: true }));
    expect(log.warn).not.toHaveBeenCalled();
  });
});

describe('an error that nobody knows', () => {
  const SECRET = 'select * from pets where secret = 1';
  const UNKNOWN = {
    code: 'internal_error',
    message: 'The service failed to handle the request: report the X-Request-Id of this response',
    status: 500,
  };

  test.each([
    ['an error', new Error(SECRET)],
    ['an error with a code alone', Object.assign(new Error(SECRET), { code: '42P01' })],
    ['an error of a kind that does not exist', errorOf('sorcery')],
    ['a refusal of Nest that blames the service', new InternalServerErrorException(SECRET)],
    ['a refusal of Nest with the status of a success', new HttpException(SECRET, 200)],
    ['a text', SECRET],
    ['nothing', undefined],
    ['null', null],
    ['an object like an error', { kind: 'conflict', code: 'conflict', message: SECRET }],
  ])('says nothing of its cause: %s', async (_what, thrown) => {
    expect(await responseTo(thrown).body).toEqual(UNKNOWN);
  });

  test('is logged', () => {
    const thrown = new Error(SECRET);
    responseTo(thrown);
    expect(log.error.mock.calls[0]?.[0]).toEqual({ err: thrown });
  });
});

describe('an error that looks like one of this service', () => {
  test('keeps a code that nobody registered', async () => {
    expect(await responseTo(errorOf('conflict', { code: 'sold_out' })).body).toMatchObject({ code: 'sold_out' });
  });
});

describe('an exception of Nest', () => {
  const bodyOf = async (thrown: unknown) => await responseTo(thrown).body;

  test.each<[HttpException, string, string, number]>([
    [new BadRequestException('What is wrong'), 'invalid_request', 'What is wrong', 400],
    [new BadRequestException(['a is wrong', 'b is too']), 'invalid_request', 'a is wrong; b is too', 400],
    [new BadRequestException(''), 'invalid_request', 'Bad Request', 400],
    [new HttpException({ hint: 'x' }, 402), 'invalid_request', 'Http Exception', 402],
    [new UnauthorizedException('Who are you?'), 'unauthorized', 'Who are you?', 401],
    [new UnauthorizedException(new Error('secret')), 'unauthorized', 'Unauthorized', 401],
    [new NotFoundException('There is no order 7'), 'not_found', 'There is no order 7', 404],
    [new ConflictException('Sold'), 'conflict', 'Sold', 409],
    [new UnprocessableEntityException('Makes no sense'), 'unprocessable_content', 'Makes no sense', 422],
    [new BadGatewayException('The bank is away'), 'bad_gateway', 'The bank is away', 502],
    [new ServiceUnavailableException('Back at noon'), 'service_unavailable', 'Back at noon', 503],
    [new HttpException({ code: 'out_of_stock', message: 'None left' }, 409), 'out_of_stock', 'None left', 409],
    [new HttpException({ code: 'unheard_of', message: 'None left' }, 409), 'conflict', 'None left', 409],
    [new ConflictException('None left', { errorCode: 'out_of_stock' }), 'out_of_stock', 'None left', 409],
  ])('keeps its status and its message: %p', async (thrown, code, message, status) => {
    expect(await bodyOf(thrown)).toEqual({ code, message, status });
  });

  test('that found no route does not repeat the address', async () => {
    expect(await bodyOf(new NotFoundException('Cannot GET /v1/secret'))).toEqual({
      code: 'not_found',
      message: 'There is nothing at this address',
      status: 404,
    });
  });

  test.each([new UnauthorizedException(), new HttpException('x', 401)])(
    'with 401 has no challenge of the API key',
    (thrown) => {
      expect(responseTo(thrown).header('www-authenticate')).toBeUndefined();
    },
  );

  test('with 503 tells when to try again', () => {
    expect(responseTo(new ServiceUnavailableException()).header('retry-after')).toBe('1');
  });

  test('that blames the client is not logged as a failure', () => {
    responseTo(new BadRequestException('What is wrong'));
    expect([log.error, log.warn].map(({ mock }) => mock.calls)).toEqual([[], []]);
  });

  test('that blames the service is logged, with its cause', () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.7:443');
    const thrown = new BadGatewayException('The bank is away', { cause });
    responseTo(thrown);
    responseTo(new ServiceUnavailableException('Back at noon', { cause }));
    expect([log.error.mock.calls[0]?.[0], log.warn.mock.calls[0]?.[0]]).toEqual([{ err: thrown }, { err: cause }]);
  });
});

describe('an error of a middleware', () => {
  const httpError = (status: number, expose: boolean) =>
    Object.assign(new Error('What went wrong'), { status, statusCode: status, expose });

  test.each<[string, Error, number, string]>([
    ['of http-errors', httpError(418, true), 418, 'What went wrong'],
    ['of http-errors that is not to be shown', httpError(403, false), 403, 'Forbidden'],
  ])('%s keeps its status', async (_what, thrown, status, message) => {
    expect(await responseTo(thrown).body).toMatchObject({ status, message });
  });
});

describe('the Error body', () => {
  test('takes the place of what the handler had begun to describe', () => {
    const exchange = new Caught();
    exchange.response.setHeader('Content-Type', 'text/csv');
    exchange.response.setHeader('Cache-Control', 'max-age=60');
    exchange.response.setHeader('X-Own', 'kept');
    exchange.catch(errorOf('conflict'));
    expect(exchange.response.getHeaders()).toEqual({
      'content-type': 'application/json',
      'content-length': expect.anything() as unknown,
      'x-own': 'kept',
    });
  });
});

describe('an error behind the head of the response', () => {
  test('ends the connection, as nothing else can be said any more', () => {
    const exchange = new Caught();
    exchange.response.writeHead(200);
    exchange.catch(new Error('Too late'));
    expect(exchange.response.destroyed).toBe(true);
  });
});
