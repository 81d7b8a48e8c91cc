import { Readable } from 'node:stream';
import { setInterval } from 'node:timers/promises';
import { Controller, Get, Header, Module, Sse, StreamableFile, type MessageEvent } from '@nestjs/common';
import { HttpDrain } from '@animal-store/http';
import { interval, map, type Observable } from 'rxjs';
import { createMigratedDatabase } from '../../support/databases.js';
import { useApp } from '../../support/running-app.js';

@Controller({ path: 'endless', version: '1' })
class EndlessController {
  constructor(private readonly drain: HttpDrain) {}

  @Sse('events')
  events(): Observable<MessageEvent> {
    return interval(20).pipe(map((count) => ({ data: String(count) })));
  }

  @Get('rows')
  @Header('Content-Type', 'text/csv')
  rows(): StreamableFile {
    return new StreamableFile(Readable.from(this.untilStopped()));
  }

  private async *untilStopped(): AsyncGenerator<string> {
    for await (const row of setInterval(20, 'row\n')) {
      if (this.drain.signal.aborted) return;
      yield row;
    }
  }
}

@Module({ controllers: [EndlessController] })
class EndlessModule {}

describe('a response without an end of its own', () => {
  const app = useApp(createMigratedDatabase, {}, { features: [EndlessModule] });

  test('ends when the server begins to stop', async () => {
    const responses = [await app.request('/v1/endless/events'), await app.request('/v1/endless/rows')];
    const readers = responses.map(({ body }) => body!.getReader());
    for (const reader of readers) expect((await reader.read()).done).toBe(false);
    app.app.get(HttpDrain).begin();
    for (const reader of readers) while (!(await reader.read()).done);

    const late = await app.request('/v1/endless/events');
    expect((await late.text()).trim()).toBe('');
  });
});
