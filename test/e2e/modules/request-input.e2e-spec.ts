import {
  Body,
  Controller,
  DefaultValuePipe,
  Get,
  Module,
  Param,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseIntPipe,
  Post,
  Query,
  RawBody,
  Req,
  UploadedFile,
  UseInterceptors,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiConsumes, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import type { Request } from 'express';
import { z } from 'zod';
import { BodyLimit, Int64IdPipe, IsInt64, IsText, Optional } from '@animal-store/http';
import { createMigratedDatabase } from '../../support/databases.js';
import { readError } from '../../support/error-body.js';
import { useApp, type RequestOptions } from '../../support/running-app.js';

class LineDto {
  @IsString()
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
  @IsText(1, 20)
  street!: string;
}

class OrderDto {
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => LineDto)
  lines!: LineDto[];

  @Optional()
  @ValidateNested()
  @Type(() => AddressDto)
  address?: AddressDto;

  @Optional()
  @IsInt64({ each: true })
  petIds?: bigint[];
}

class PatchLineDto extends PartialType(LineDto, { skipNullProperties: false }) {}

class RangeQuery {
  @IsInt64()
  from!: bigint;
}

/** A class that says nothing of its members. */
class Unruled {
  name!: string;
}

enum Size {
  Small = 'small',
  Large = 'large',
}

/** The received value with its types. */
function shown(value: unknown): unknown {
  if (typeof value === 'bigint') return `bigint ${value}`;
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  const { name } = value.constructor;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const copy = Object.fromEntries(members.map(([key, member]) => [key, shown(member)]));
  return name === 'Object' ? copy : { is: name, ...copy };
}

const BODY_LIMIT = 64 * 1024;

@Controller('v1/samples')
class SamplesController {
  @Post('orders')
  place(@Body() order: OrderDto): unknown {
    return shown(order);
  }

  @Post('patch')
  patch(@Body() line: PatchLineDto): unknown {
    return shown(line);
  }

  @Post('any')
  any(@Body() body: unknown): unknown {
    return { body: shown(body) };
  }

  @Post('member')
  member(@Body('name') name: string, @Body('address') address: AddressDto): unknown {
    return { name, address: shown(address) };
  }

  @Post('list')
  list(@Body(new ParseArrayPipe({ items: LineDto })) lines: LineDto[]): unknown {
    return shown(lines);
  }

  @Post('schema')
  schema(@Body({ schema: z.object({ a: z.string() }) }) body: unknown): unknown {
    return body;
  }

  @Post('unruled')
  unruled(@Body() body: Unruled): unknown {
    return body;
  }

  @Post('raw')
  raw(@RawBody() bytes: Buffer, @Body() body: unknown): unknown {
    return { bytes: bytes.toString(), body };
  }

  @Post('stream')
  @ApiConsumes('text/*')
  async stream(@Req() request: Request): Promise<unknown> {
    let size = 0;
    for await (const chunk of request) size += (chunk as Buffer).length;
    return { size };
  }

  @Post('upload')
  @ApiConsumes('multipart/form-data')
  @UseInterceptors(FileInterceptor('file', { limits: { fileSize: 40_000 } }))
  upload(@UploadedFile() { size }: { size: number }, @Body() body: AddressDto): unknown {
    return { size, body: shown(body) };
  }

  @Post('large-upload')
  @ApiConsumes('multipart/form-data')
  @BodyLimit(2 * BODY_LIMIT)
  @UseInterceptors(FileInterceptor('file'))
  largeUpload(@UploadedFile() { size }: { size: number }): unknown {
    return { size };
  }

  @Post('short')
  @BodyLimit(20)
  short(@Body() note: unknown): unknown {
    return note;
  }

  @Get('whole')
  whole(@Query() query: Record<string, unknown>): unknown {
    return query;
  }

  @Get('range')
  range(@Query() query: RangeQuery): unknown {
    return shown(query);
  }

  @Get('single')
  single(
    @Query('page', new DefaultValuePipe(1), ParseIntPipe) page: number,
    @Query('deep', new DefaultValuePipe(false), ParseBoolPipe) deep: boolean,
    @Query('size', new ParseEnumPipe(Size, { optional: true })) size?: Size,
  ): unknown {
    return { page, deep, size };
  }

  @Get('numbers/:number/:id')
  number(@Param('number', ParseIntPipe) number: number, @Param('id', new Int64IdPipe('order')) id: bigint): unknown {
    return { number, id };
  }
}

@Module({ controllers: [SamplesController] })
class SamplesModule {}

const app = useApp(createMigratedDatabase, { BODY_LIMIT: String(BODY_LIMIT) }, { features: [SamplesModule] });

async function ask(path: string, options: RequestOptions = {}): Promise<[status: number, text: string]> {
  const answer = await app.request(`/v1/samples/${path}`, options);
  return [answer.status, await answer.text()];
}

function send(path: string, body: string, type = 'application/json'): Promise<[status: number, text: string]> {
  return ask(path, { method: 'POST', body, headers: { 'content-type': type } });
}

function form(size: number): RequestOptions {
  const data = new FormData();
  data.set('street', 'b');
  data.set('file', new Blob(['x'.repeat(size)]), 'a.txt');
  return { method: 'POST', body: data };
}

describe('@Body() gives', () => {
  test.each([
    [
      'an instance of the class, nested ones too',
      'orders',
      '{"lines":[{"sku":"a","quantity":1}],"petIds":[1,9007199254740993]}',
      '{"is":"OrderDto","lines":[{"is":"LineDto","sku":"a","quantity":1}],"petIds":["bigint 1","bigint 9007199254740993"]}',
    ],
    [
      'anything where nothing is declared, with integers that a number cannot hold as bigint',
      'any',
      '{"a":[3,9007199254740993,1.5,null]}',
      '{"body":{"a":[3,"bigint 9007199254740993",1.5,null]}}',
    ],
    [
      'one member, validated by its class',
      'member',
      '{"name":"a","address":{"street":"b"},"more":1}',
      '{"name":"a","address":{"is":"AddressDto","street":"b"}}',
    ],
    ['what ParseArrayPipe gives', 'list', '[{"sku":"a","quantity":1}]', '[{"is":"LineDto","sku":"a","quantity":1}]'],
    ['what a schema gives', 'schema', '{"a":"b"}', '{"a":"b"}'],
    [
      'an instance of a class of PartialType',
      'patch',
      '{"weight":9007199254740993}',
      '{"is":"PatchLineDto","weight":"bigint 9007199254740993"}',
    ],
    ['the bytes beside what they mean, with @RawBody()', 'raw', '{ "a":1}', '{"bytes":"{ \\"a\\":1}","body":{"a":1}}'],
  ])('%s', async (_what, path, body, expected) => {
    expect(await send(path, body)).toEqual([201, expected]);
  });
});

/** The sentences themselves: `validation.pipe.spec.ts`. */
describe('a body is refused, with the path of what is wrong', () => {
  test.each([
    ['orders', '{"lines":[{"sku":"a","quantity":-99}]}', 'lines.0.quantity must not be less than 1'],
    ['orders', '{"lines":[],"adress":{}}', 'unknown member \\"adress\\": did you mean address?'],
    ['member', '{}', 'address is required and must be an object'],
    ['list', '[{"sku":"a","quantity":"x"}]', 'quantity'],
    ['schema', '{"a":1}', '"a: '],
    ['patch', '{"quantity":11}', 'quantity must not be greater than 10'],
    // A class without rules allows no member: nothing is left unvalidated.
    ['unruled', '{"name":"a"}', 'unknown member \\"name\\": none are known'],
  ])('at %s: %s', async (path, body, message) => {
    const [status, text] = await send(path, body);
    expect(status).toBe(400);
    expect(text).toContain(message);
  });
});

describe('a body of another type', () => {
  test('is left to the interceptor of a route that declares it, and to its limits', async () => {
    expect(await ask('upload', form(1_000))).toEqual([201, '{"size":1000,"body":{"is":"AddressDto","street":"b"}}']);
    expect(await ask('upload', form(50_000))).toEqual([413, expect.stringContaining('File too large')]);
    expect(await send('stream', 'x'.repeat(30_000), 'text/csv')).toEqual([201, '{"size":30000}']);
  });

  test('is 415 where nobody declares it', async () => {
    expect(await send('any', 'a=1', 'application/x-www-form-urlencoded')).toEqual([415, expect.any(String)]);
    const answer = await app.request('/v1/samples/upload', { method: 'POST', body: 'a' });
    expect(await readError(answer)).toMatchObject({
      status: 415,
      message: expect.stringContaining('or a body of the type multipart/form-data') as string,
    });
  });

  test('has the limit of its route, which may be more or less than that of the others', async () => {
    const size = 1.5 * BODY_LIMIT;
    const statuses = [
      await ask('upload', form(size)),
      await ask('large-upload', form(size)),
      await ask('large-upload', form(2 * BODY_LIMIT)),
      await send('short', '{"a":1}'),
      await send('short', `{"a":"${'x'.repeat(20)}"}`),
    ].map(([status]) => status);
    expect(statuses).toEqual([413, 201, 413, 201, 413]);
  });
});

test.each<[string, number, string]>([
  ['whole?a=1&a=2', 200, '{"a":["1","2"]}'],
  ['range?from=9007199254740993', 200, '{"is":"RangeQuery","from":"bigint 9007199254740993"}'],
  ['range?from=1&form=2', 400, 'unknown query parameter \\"form\\": did you mean from?'],
  ['single', 200, '{"page":1,"deep":false}'],
  ['single?page=2&deep=true&size=small', 200, '{"page":2,"deep":true,"size":"small"}'],
  ['single?size=medium', 400, '"code":"invalid_request"'],
  ['numbers/5/9007199254740993', 200, '{"number":5,"id":9007199254740993}'],
  ['numbers/x/1', 400, '"code":"invalid_request"'],
  ['numbers/5/01', 404, '"code":"not_found"'],
])('@Query() and @Param() go through classes and pipes: %s is %i', async (path, expected, part) => {
  const [status, text] = await ask(path);
  expect(status).toBe(expected);
  expect(text).toContain(part);
});
