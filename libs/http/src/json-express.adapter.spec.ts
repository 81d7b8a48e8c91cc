import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { Controller, Get, Module, StreamableFile } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { listen } from '../../../test/support/listen.js';
import { JsonExpressAdapter } from './json-express.adapter.js';
import { SECURITY_HEADERS } from './responses/security-headers.js';

let source: Readable;

async function* failsMidway(): AsyncGenerator<string> {
  yield 'id,name\n';
  await setImmediate();
  throw new Error('the disk is gone');
}

@Controller()
class Files {
  @Get('bytes')
  bytes(): StreamableFile {
    return new StreamableFile(Buffer.from('id,name\n1,Rex\n'), {
      type: 'text/csv',
      disposition: 'attachment; filename="orders.csv"',
    });
  }

  @Get('missing')
  missing(): StreamableFile {
    return new StreamableFile(createReadStream('/no/such/file'), {
      type: 'text/csv',
      disposition: 'attachment; filename="orders.csv"',
      length: 14,
    });
  }

  @Get('breaks-off')
  breaksOff(): StreamableFile {
    return new StreamableFile(Readable.from(failsMidway(), { objectMode: false }));
  }

  @Get('endless')
  endless(): StreamableFile {
    return new StreamableFile(source);
  }
}

@Module({ controllers: [Files] })
class FilesModule {}

describe('a handler that returns a file', () => {
  let app: NestExpressApplication;
  let port: number;

  beforeAll(async () => {
    const adapter = new JsonExpressAdapter({ maxConnections: 100, keepAliveMs: 65_000 });
    app = await NestFactory.create<NestExpressApplication>(FilesModule, adapter, { logger: false });
    await app.init();
    port = await listen(app.getHttpServer());
  });

  afterAll(() => app.close());

  async function ask(path: string, method = 'GET'): Promise<IncomingMessage> {
    const asked = request({ port, path, method }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return response;
  }

  test('has its bytes sent, under its own type and name', async () => {
    const response = await ask('/bytes');
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="orders.csv"',
      'content-length': '14',
    });
    expect([response.statusCode, await text(response)]).toEqual([200, 'id,name\n1,Rex\n']);
  });

  test('has the header fields of every answer sent with it', async () => {
    const { headers } = (await ask('/bytes', 'HEAD')).resume();
    const security = Object.entries(SECURITY_HEADERS).map(([name, value]) => [name.toLowerCase(), value]);
    expect(headers).toMatchObject({
      ...Object.fromEntries(security),
      'cache-control': 'private, no-cache',
      vary: 'Authorization',
      'x-request-id': expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
    });
  });

  test('has the Error body sent where it fails before its first byte', async () => {
    const response = await ask('/missing');
    expect([response.statusCode, JSON.parse(await text(response))]).toEqual([
      500,
      {
        code: 'internal_error',
        message: 'The service failed to handle the request: report the X-Request-Id of this response',
        status: 500,
      },
    ]);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['content-disposition']).toBeUndefined();
    expect(response.headers.vary).toBe('Authorization');
  });

  test('breaks the connection off where it fails later, so that nobody takes what came for the whole', async () => {
    const response = await ask('/breaks-off');
    await expect(text(response)).rejects.toThrow('aborted');
  });

  test('is closed when the client goes away', async () => {
    source = new Readable({
      read() {
        this.push(Buffer.alloc(65_536));
      },
    });
    const closed = once(source, 'close');
    (await ask('/endless')).destroy();
    await closed;
    expect(source.destroyed).toBe(true);
  });
});
