import { once } from 'node:events';
import { connect } from 'node:net';
import { Body, Controller, Module, Post, Req, UploadedFile, UseInterceptors } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FileInterceptor, type NestExpressApplication } from '@nestjs/platform-express';
import { ApiConsumes } from '@nestjs/swagger';
import type { Request } from 'express';
import { listen } from '../../../test/support/listen.js';
import { errorFilterProvider } from './responses/error.filter.js';
import { ErrorCodes } from './errors/error-codes.js';
import { createExpress } from './server/express-server.js';
import { JsonExpressAdapter } from './server/json-express-adapter.js';
import { requestReaderProvider } from './requests/request-reader.js';

const LIMIT = 50_000;

@Controller()
class Uploads {
  @Post('upload')
  @ApiConsumes('multipart/form-data')
  @UseInterceptors(FileInterceptor('file'))
  upload(@UploadedFile() file: { size: number } | undefined, @Body() body: unknown): unknown {
    return { size: file?.size, body };
  }

  @Post('stream')
  @ApiConsumes('text/*')
  async stream(@Req() request: Request): Promise<unknown> {
    let size = 0;
    for await (const chunk of request) size += (chunk as Buffer).length;
    return { size };
  }
}

@Module({
  controllers: [Uploads],
  providers: [requestReaderProvider, ErrorCodes, errorFilterProvider('Bearer', (thrown) => thrown)],
})
class UploadsModule {}

const PART = '--end\r\nContent-Disposition: form-data; name="a"\r\n\r\n';
const TYPES: Record<string, string> = { upload: 'multipart/form-data; boundary=end', stream: 'text/csv' };

describe('a body that somebody else reads', () => {
  let app: NestExpressApplication;
  let port: number;

  beforeAll(async () => {
    const server = createExpress({ bodyLimit: LIMIT, bodiesLimit: 2 * LIMIT });
    app = await NestFactory.create<NestExpressApplication>(UploadsModule, new JsonExpressAdapter(server), {
      logger: false,
      bodyParser: false,
    });
    await app.init();
    port = await listen(app.getHttpServer());
  });

  afterAll(() => app.close());

  /** The first line of the answer to a body that comes in chunks. */
  async function sendInChunks(path: string, length: number, end: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(
      `POST /${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${TYPES[path]!}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const write = (text: string) => socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
    write(PART);
    for (let sent = 0; sent < length; sent += 5_000) {
      write('x'.repeat(5_000));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    write(end);
    socket.write('0\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return answer.toString().split('\r\n')[0]!;
  }

  test.each(['upload', 'stream'])('is given whole within the limit: %s', async (path) => {
    expect(await sendInChunks(path, 20_000, '\r\n--end--\r\n')).toBe('HTTP/1.1 201 Created');
  });

  test.each(['upload', 'stream'])('is refused with 413 beyond it: %s', async (path) => {
    expect(await sendInChunks(path, 400_000, '\r\n--end--\r\n')).toBe('HTTP/1.1 413 Payload Too Large');
  });

  test.each(['upload', 'stream'])('is refused by its length alone: %s', async (path) => {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`, {
      method: 'POST',
      headers: { 'content-type': TYPES[path]! },
      body: PART + 'x'.repeat(LIMIT),
    });
    expect(answer.status).toBe(413);
  });
});
