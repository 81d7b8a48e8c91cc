import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  BadRequestException,
  Body,
  Controller,
  Delete,
  Get,
  Injectable,
  Module,
  Param,
  Post,
  Put,
  Query,
  Req,
  UploadedFile,
  UseInterceptors,
  ArgumentMetadata,
  DefaultValuePipe,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseIntPipe,
  type PipeTransform,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiConsumes, ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import type { Request } from 'express';
import { BodyLimit, IsInt64 } from '@animal-store/http';
import { createMigratedDatabase } from '../../support/databases.js';
import { readError, type ErrorBody } from '../../support/error-body.js';
import { TEST_API_KEY, useApp } from '../../support/running-app.js';

class LineDto {
  @ApiProperty()
  @IsString()
  @Length(1, 20)
  sku!: string;

  @IsInt()
  @Min(1)
  @Max(10)
  quantity!: number;

  @IsOptional()
  @IsInt64()
  weight?: bigint;
}

class AddressDto {
  @IsString()
  street!: string;
}

class OrderDto {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => LineDto)
  lines!: LineDto[];

  @IsOptional()
  @ValidateNested()
  @Type(() => AddressDto)
  address?: AddressDto;

  @IsOptional()
  @IsInt64({ each: true })
  petIds?: bigint[];

  @IsOptional()
  note?: unknown;
}

class Unruled {
  name!: string;
}

class PatchLineDto extends PartialType(LineDto, { skipNullProperties: false }) {}
class UnpricedDto extends OmitType(LineDto, ['quantity'] as const) {}

enum Size {
  Small = 'small',
  Large = 'large',
}

@Injectable()
class Doubling implements PipeTransform {
  transform(value: unknown, { type }: ArgumentMetadata): unknown {
    return { type, value: [value, value] };
  }
}

/** The received value with its types. */
function shown(value: unknown): unknown {
  if (value instanceof Date) return `Date ${value.toISOString()}`;
  if (typeof value === 'bigint') return `bigint ${value}`;
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const name = (value.constructor as { name: string } | undefined)?.name;
  const copy = Object.fromEntries(members.map(([key, member]) => [key, shown(member)]));
  return name === undefined || name === 'Object' ? copy : { is: name, ...copy };
}

const BODY_LIMIT = 64 * 1024;

@Controller('v1/samples')
class SamplesController {
  @Post('orders')
  place(@Body() order: OrderDto): unknown {
    return shown(order);
  }

  @Put('lines')
  patch(@Body() line: PatchLineDto): unknown {
    return shown(line);
  }

  @Put('unpriced')
  unpriced(@Body() line: UnpricedDto): unknown {
    return shown(line);
  }

  @Post('any')
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as in Nest's documentation
  any(@Body() body: any): unknown {
    return { body: shown(body) };
  }

  @Post('field')
  field(@Body('name') name: string, @Body('address') address: AddressDto): unknown {
    return { name, address: shown(address) };
  }

  @Post('piped')
  piped(@Body(Doubling) body: unknown): unknown {
    return body;
  }

  @Post('list')
  list(@Body(new ParseArrayPipe({ items: LineDto })) lines: LineDto[]): unknown {
    return shown(lines);
  }

  @Post('upload')
  @ApiConsumes('multipart/form-data')
  @UseInterceptors(FileInterceptor('file', { limits: { files: 1, fileSize: 40_000 } }))
  upload(@UploadedFile() file: { originalname: string; size: number } | undefined, @Body() body: AddressDto): unknown {
    return { name: file?.originalname, size: file?.size, body: shown(body) };
  }

  @Post('stream')
  @ApiConsumes('text/*')
  async stream(@Req() request: Request): Promise<unknown> {
    let size = 0;
    for await (const chunk of request) size += (chunk as Buffer).length;
    return { size };
  }

  @Post('large-upload')
  @ApiConsumes('multipart/form-data')
  @BodyLimit(2 * BODY_LIMIT)
  @UseInterceptors(FileInterceptor('file'))
  largeUpload(@UploadedFile() file: { size: number } | undefined): unknown {
    return { size: file?.size };
  }

  @Post('note')
  @BodyLimit(20)
  note(@Body() note: unknown): unknown {
    return note;
  }

  @Get('anything')
  anything(@Query() query: Record<string, unknown>): unknown {
    query['more'] = true;
    return query;
  }

  @Get('single')
  single(
    @Query('page', new DefaultValuePipe(1), ParseIntPipe) page: number,
    @Query('deep', new DefaultValuePipe(false), ParseBoolPipe) deep: boolean,
    @Query('size', new ParseEnumPipe(Size, { optional: true })) size: Size | undefined,
  ): unknown {
    return { page, deep, size };
  }

  @Delete('numbers/:id')
  number(@Param('id', ParseIntPipe) id: number): unknown {
    return { id, type: typeof id };
  }

  @Post('unruled')
  unruled(@Body() body: Unruled): unknown {
    return body;
  }

  @Post('refusing')
  refusing(): never {
    throw new BadRequestException('reached');
  }
}

@Module({ controllers: [SamplesController] })
class SamplesModule {}

const app = useApp(createMigratedDatabase, { BODY_LIMIT: String(BODY_LIMIT) }, { features: [SamplesModule] });

function send(path: string, body: unknown, method = 'POST', type = 'application/json'): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return app.request(`/v1/samples/${path}`, { method, body: text, headers: { 'content-type': type } });
}

async function answerOf(path: string, body: unknown, method = 'POST'): Promise<unknown> {
  const answer = await send(path, body, method);
  return answer.ok ? await answer.json() : await readError(answer);
}

async function refusalOf(path: string, body: unknown, method = 'POST'): Promise<string[]> {
  const { status, message } = (await answerOf(path, body, method)) as ErrorBody;
  expect(status).toBe(400);
  return message.split('; ');
}

async function get(path: string, init = {}): Promise<unknown> {
  const answer = await app.request(`/v1/samples/${path}`, init);
  return answer.ok ? await answer.json() : (await readError(answer)).message;
}

const LINE = { sku: 'a', quantity: 1 };

describe('@Body()', () => {
  test('gives an instance of the class, nested ones too', async () => {
    expect(await answerOf('orders', { lines: [LINE], address: { street: 'b' } })).toEqual({
      is: 'OrderDto',
      lines: [{ is: 'LineDto', ...LINE }],
      address: { is: 'AddressDto', street: 'b' },
    });
  });

  test('gives anything where nothing is declared: an object, a list, a value', async () => {
    for (const body of [{ a: 1 }, [1, { b: [] }], 5, 'text', true, null]) {
      expect(await answerOf('any', JSON.stringify(body))).toEqual({ body });
    }
    expect(await (await app.request('/v1/samples/any', { method: 'POST' })).json()).toEqual({});
  });

  test('gives one member, validated by its class', async () => {
    expect(await answerOf('field', { name: 'a', address: { street: 'b' }, more: 1 })).toEqual({
      name: 'a',
      address: { is: 'AddressDto', street: 'b' },
    });
    expect(await refusalOf('field', { address: { street: 5 } })).toEqual(['address.street must be a string']);
    expect(await refusalOf('field', {})).toEqual(['address is required and must be an object']);
  });

  test('goes through pipes of its own', async () => {
    expect(await answerOf('piped', [1])).toEqual({ type: 'body', value: [[1], [1]] });
    expect(await answerOf('list', [LINE])).toEqual([{ is: 'LineDto', ...LINE }]);
    expect((await send('list', [{ ...LINE, quantity: 'x' }])).status).toBe(400);
  });

  test('of another type is 415, and nothing is done', async () => {
    const answer = await send('refusing', 'a=1', 'POST', 'application/x-www-form-urlencoded');
    expect((await readError(answer)).code).toBe('unsupported_media_type');
    expect((await send('upload', 'a', 'POST', 'text/plain')).headers.get('accept-post')).toBe(
      'application/json, multipart/form-data',
    );
  });
});

describe('a route with a media type of its own', () => {
  function form(size: number): FormData {
    const data = new FormData();
    data.set('street', 'b');
    data.set('file', new Blob(['x'.repeat(size)]), 'a.txt');
    return data;
  }

  test('leaves the body to FileInterceptor', async () => {
    const answer = await app.request('/v1/samples/upload', { method: 'POST', body: form(1_000) });
    expect(await answer.json()).toEqual({ name: 'a.txt', size: 1_000, body: { is: 'AddressDto', street: 'b' } });
  });

  test('answers the limits of FileInterceptor itself', async () => {
    const answer = await app.request('/v1/samples/upload', { method: 'POST', body: form(50_000) });
    expect((await readError(answer)).status).toBe(413);
  });
});

/** Resolves to the status of the response to a body that comes in chunks, without its length. */
async function sendInChunks(path: string, type: string, length: number): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': type };
  const asked = httpRequest({ port: app.port, path: `/v1/samples/${path}`, method: 'POST', headers });
  // The service closes the connection after a refusal, and the rest of the body has no reader.
  asked.on('error', () => undefined);
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  asked.write('--end\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
  for (let sent = 0; sent < length; sent += 5_000) {
    asked.write('x'.repeat(5_000));
    await nextTurn();
  }
  asked.end('\r\n--end--\r\n');
  const [answer] = await answered;
  asked.destroy();
  return answer.statusCode;
}

describe.each([
  ['large-upload', 'multipart/form-data; boundary=end'],
  ['stream', 'text/csv'],
])('a body in chunks that the route reads itself: %s', (path, type) => {
  test('is refused with 411, as only its length bounds what the route keeps', async () => {
    expect(await sendInChunks(path, type, 20_000)).toBe(411);
  });
});

describe('a route with a limit of its own', () => {
  function upload(path: string, size: number): Promise<Response> {
    const data = new FormData();
    data.set('file', new Blob(['x'.repeat(size)]), 'a.txt');
    return app.request(`/v1/samples/${path}`, { method: 'POST', body: data });
  }

  test('takes a body up to that, which may be more than the limit of the others', async () => {
    const size = 1.5 * BODY_LIMIT;
    expect((await readError(await upload('upload', size))).status).toBe(413);
    expect(await (await upload('large-upload', size)).json()).toEqual({ size });
    expect((await readError(await upload('large-upload', 2 * BODY_LIMIT))).message).toContain(String(2 * BODY_LIMIT));
  });

  test('refuses JSON beyond it', async () => {
    expect((await send('note', { a: 1 })).status).toBe(201);
    expect((await readError(await send('note', { a: 'x'.repeat(20) }))).status).toBe(413);
  });
});

describe('an integer', () => {
  test('is a number where it is exact and a bigint beyond, where nothing is declared', async () => {
    expect(await answerOf('any', '{"a":[3,9007199254740993,1.5],"b":{"c":-9007199254740993}}')).toEqual({
      body: { a: [3, 'bigint 9007199254740993', 1.5], b: { c: 'bigint -9007199254740993' } },
    });
  });
});

describe('validation', () => {
  test('names every violation at once, with its path', async () => {
    expect(
      await refusalOf('orders', {
        lines: [{ sku: 5, quantity: -99, evil: true }, 'x'],
        address: { street: 5 },
        nots: 1,
      }),
    ).toEqual([
      'lines.0.sku must be longer than or equal to 1 and shorter than or equal to 20 characters',
      'lines.0.sku must be a string',
      'lines.0.quantity must not be less than 1',
      'lines.1 must be an object',
      'address.street must be a string',
      'unknown member "nots": did you mean note?',
      'unknown member "lines.0.evil": allowed are sku, quantity, weight',
    ]);
  });

  test('follows PartialType and OmitType', async () => {
    expect(await answerOf('lines', '{"weight":9007199254740993}', 'PUT')).toEqual({
      is: 'PatchLineDto',
      weight: 'bigint 9007199254740993',
    });
    expect(await refusalOf('lines', { quantity: 11 }, 'PUT')).toEqual(['quantity must not be greater than 10']);
    expect(await refusalOf('lines', { sku: null }, 'PUT')).toEqual([
      'sku must be longer than or equal to 1 characters',
      'sku must be a string',
    ]);
    expect(await answerOf('unpriced', { sku: 'a' }, 'PUT')).toEqual({ is: 'UnpricedDto', sku: 'a' });
  });
});

describe('a query', () => {
  test('without a class is given whole, and may be changed', async () => {
    for (let time = 0; time < 2; time += 1)
      expect(await get('anything?a=1&a=2')).toEqual({ a: ['1', '2'], more: true });
    for (let time = 0; time < 2; time += 1) expect(await get('anything?a=1')).toEqual({ a: '1', more: true });
  });

  test.each<[string, unknown]>([
    ['', { page: 1, deep: false }],
    ['?page=2&deep=true&size=small', { page: 2, deep: true, size: 'small' }],
    ['?page=x', 'Validation failed (numeric string is expected)'],
  ])('gives single parameters through the pipes of Nest: %s', async (query, expected) => {
    expect(await get(`single${query}`)).toEqual(expected);
  });

  test('is refused where nothing reads it', async () => {
    expect(await get('numbers/5?a=1&b=2', { method: 'DELETE' })).toBe(
      'unknown query parameter "a": none are allowed here; unknown query parameter "b": none are allowed here',
    );
    expect((await app.request('/v1/pets/1?a=1')).status).toBe(400);
    expect((await app.request('/v1/pets?a=1', { method: 'POST' })).status).toBe(400);
    expect((await app.request('/health/live?a=1')).status).toBe(200);
    expect((await app.request('/docs?a=1', { redirect: 'manual' })).status).toBeLessThan(400);
  });
});

test('a request class of which nothing would be validated is an error of the service', async () => {
  expect(await answerOf('unruled', { name: 'a' })).toMatchObject({ status: 500, code: 'internal_error' });
});
