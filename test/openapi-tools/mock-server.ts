import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@animal-store/testing';
import { startTool } from './run-tool.js';

const START_TIMEOUT_MS = 30_000;

/** Prism, with a document. */
export class MockServer {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  /** @throws Error when it does not start in time */
  static async start(document: string): Promise<MockServer> {
    const port = await freePort();
    const process = startTool('prism', ['mock', document, '--port', String(port)]);
    let printed = '';
    for (const stream of [process.stdout, process.stderr]) {
      stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    }
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!printed.includes('Prism is listening')) {
      if (process.exitCode !== null || Date.now() > deadline) throw new Error(`Prism did not start: ${printed}`);
      await delay(20);
    }
    return new MockServer(process, `http://127.0.0.1:${port}`);
  }

  async stop(): Promise<void> {
    const exited = once(this.process, 'exit');
    this.process.kill();
    await exited;
  }
}
