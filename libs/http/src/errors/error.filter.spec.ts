import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import {
  BadGatewayException,
  BadRequestException,
  HttpException,
  InternalServerErrorException,
  Logger,
  NotFoundException,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { RequestState, stateOf } from '../request-context.js';
import { STATUS_OF_KIND } from './error-codes.js';
import { ErrorFilter } from './error.filter.js';

const { jest } = import.meta;

const log = {
  log: jest.fn<undefined, [unknown]>(),
  error: jest.fn<undefined, [unknown]>(),
  warn: jest.fn<undefined, [unknown]>(),
};

let filter: ErrorFilter;

beforeEach(() => {
  jest.clearAllMocks();
  Logger.overrideLogger(log);
  filter = new ErrorFilter((thrown) => thrown);
});

/** As an error of a module that does not know this one. */
function errorOf(kind: string, extra: object = {}): Error {
  return Object.assign(new Error('What went wrong'), { kind, code: 'sold', ...extra });
}

function newResponse(): ServerResponse {
  const request = new IncomingMessage(new Socket());
  return Object.assign(new ServerResponse(request), { state: new RequestState('id') });
}

/** The response to an error: its body, as text and parsed, and its header fields. */
function responseTo(thrown: unknown, response = newResponse()) {
  const end = jest.spyOn(response, 'end');
  const writeHead = jest.spyOn(response, 'writeHead');
  filter.catch(thrown, new ExecutionContextHost([response.req, response]));
  const text = String(end.mock.calls[0]?.[0]);
  const fields = (writeHead.mock.calls[0]?.[1] ?? []) as unknown as string[];
  const field = (name: string) => fields[fields.indexOf(name) + 1];
  return { text, body: JSON.parse(text) as unknown, has: (name: string) => fields.includes(name), field, response };
}

describe('an error with a kind and a code', () => {
  test.each(Object.entries(STATUS_OF_KIND))('of the kind %s has the status %i, and its own code', (kind, status) => {
    const { text, response } = responseTo(errorOf(kind));
    expect(text).toBe(`{"code":"sold","message":"What went wrong","status":${status}}`);
    expect([response.statusCode, stateOf(response).errorCode]).toEqual([status, 'sold']);
  });

  test('may challenge the client', () => {
    const { field } = responseTo(errorOf('unauthorized', { challenge: 'Bearer realm="animal-store"' }));
    expect(field('WWW-Authenticate')).toBe('Bearer realm="animal-store"');
  });

  test('that says the service is away tells when to try again, and its innermost cause only to the log', () => {
    const cause = new Error('Failed query: select 1', { cause: new Error('connect ECONNREFUSED 10.0.0.7:5432') });
    const { text, field, response } = responseTo(errorOf('unavailable', { cause }));
    expect([text.includes('ECONNREFUSED'), field('Retry-After')]).toEqual([false, '1']);
    expect(stateOf(response).reason).toBe('connect ECONNREFUSED 10.0.0.7:5432');
  });
});

describe('an error that nobody knows', () => {
  const SECRET = 'select * from pets where secret = 1';

  test.each([
    ['an error', new Error(SECRET)],
    ['an error with a code alone', Object.assign(new Error(SECRET), { code: '42P01' })],
    ['an error of a kind that does not exist', errorOf('sorcery')],
    ['an exception of Nest that blames the service', new InternalServerErrorException(SECRET)],
    ['an exception of Nest with the status of a success', new HttpException(SECRET, 200)],
    ['a text', SECRET],
    ['nothing', undefined],
    ['an object like an error', { kind: 'conflict', code: 'conflict', message: SECRET }],
  ])('says nothing of its cause, which is logged: %s', (_what, thrown) => {
    expect(responseTo(thrown).body).toEqual({
      code: 'internal_error',
      message: 'The service failed to handle the request: report the X-Request-Id of this response',
      status: 500,
    });
    expect(log.error.mock.calls[0]?.[0]).toEqual({ err: thrown });
  });
});

/** Nest makes its message of its name. */
class SoldOutException extends HttpException {
  constructor() {
    super({ reason: 'sold' }, 409);
  }
}

describe('an exception of Nest', () => {
  test.each<[HttpException, string, string, number]>([
    [new BadRequestException('What is wrong'), 'invalid_request', 'What is wrong', 400],
    [new BadRequestException(['a is wrong', 'b is too']), 'invalid_request', 'a is wrong; b is too', 400],
    [new BadRequestException(''), 'invalid_request', 'Bad Request', 400],
    [new UnauthorizedException(new Error('secret')), 'unauthorized', 'Unauthorized', 401],
    [new NotFoundException('There is no order 7'), 'not_found', 'There is no order 7', 404],
    [new BadGatewayException('The bank is away'), 'bad_gateway', 'The bank is away', 502],
    [new HttpException({ code: 'unheard_of', message: 'None left' }, 409), 'conflict', 'None left', 409],
    [new SoldOutException(), 'conflict', 'Sold Out Exception', 409],
  ])('keeps its status and its message: %p', (thrown, code, message, status) => {
    expect(responseTo(thrown).body).toEqual({ code, message, status });
  });

  test('has no challenge of the API key with 401, and tells with 503 when to try again', () => {
    expect(responseTo(new UnauthorizedException()).has('WWW-Authenticate')).toBe(false);
    expect(responseTo(new ServiceUnavailableException()).field('Retry-After')).toBe('1');
  });

  test('is logged if it blames the service, with its cause', () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.7:443');
    const thrown = new BadGatewayException('The bank is away', { cause });
    responseTo(new BadRequestException('What is wrong'));
    responseTo(thrown);
    const { response } = responseTo(new ServiceUnavailableException('Back at noon', { cause }));
    expect(log.error.mock.calls.map(([line]) => line)).toEqual([{ err: thrown }]);
    expect(stateOf(response).reason).toBe(cause.message);
  });
});

test.each([
  [true, 'What went wrong'],
  [false, 'Forbidden'],
])('an error of http-errors keeps its status, and its message if it may be shown: %s', (expose, message) => {
  const thrown = Object.assign(new Error('What went wrong'), { status: 403, expose });
  expect(responseTo(thrown).body).toEqual({ code: 'forbidden', message, status: 403 });
});

describe('the Error body', () => {
  test('takes the place of what the handler had begun to describe', () => {
    const response = newResponse();
    response.setHeader('Content-Type', 'text/csv');
    response.setHeader('Cache-Control', 'max-age=60');
    response.setHeader('ETag', '"a"');
    response.setHeader('X-Own', 'kept');
    const { field } = responseTo(errorOf('conflict'), response);
    expect(field('Content-Type')).toBe('application/json');
    expect(['cache-control', 'etag', 'x-own'].map((name) => response.getHeader(name))).toEqual([
      undefined,
      undefined,
      'kept',
    ]);
  });

  test('cannot be sent behind the header of another response: the connection is ended', () => {
    const response = newResponse();
    response.writeHead(200);
    filter.catch(new Error('Too late'), new ExecutionContextHost([response.req, response]));
    expect(response.destroyed).toBe(true);
  });
});
