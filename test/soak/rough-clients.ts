import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { TEST_API_KEY } from '../support/running-app.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;

/** Clients that disconnect, are slow, or do not speak HTTP. Each method resolves with what was unexpected, or with `undefined`. */
export class RoughClients {
  private readonly host: string;
  private readonly port: number;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.host = hostname;
    this.port = Number(port);
  }

  /** Disconnects in the middle of its body. */
  readonly abortBody = async (): Promise<undefined> => {
    const socket = await this.open();
    const fields = ['Host: x', KEY, 'Content-Type: application/json', 'Content-Length: 500'];
    socket.write(`POST /v1/pets HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n{"name":"Re`);
    await delay(20);
    socket.destroy();
  };

  /** Disconnects when the answer begins. */
  readonly abortAnswer = async (): Promise<undefined> => {
    await new Promise<void>((resolve, reject) => {
      const options = { host: this.host, port: this.port, path: '/v1/pets?limit=100', agent: false as const };
      request({ ...options, headers: { authorization: `Bearer ${TEST_API_KEY}` } }, (answer) => {
        answer.destroy();
        resolve();
      })
        .on('error', reject)
        .end();
    });
  };

  /** Disconnects before there is an answer. */
  readonly abortWait = async (): Promise<undefined> => {
    const socket = await this.open();
    socket.write(`GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n\r\n`);
    socket.destroySoon();
    await delay(1);
    socket.destroy();
  };

  readonly talkNoHttp = async (): Promise<string | undefined> => {
    const socket = await this.open();
    socket.write('HELO pets\r\n\r\n');
    const text = await textOf(socket);
    return text.startsWith('HTTP/1.1 400 ') ? undefined : `no HTTP was answered with ${text.slice(0, 200)}`;
  };

  /** Requests forty pages at once, and reads a small part of them at a time. */
  readonly readSlowly = async (): Promise<string | undefined> => {
    const pages = 40;
    const socket = await this.open();
    const one = `GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`;
    socket.write(`${`${one}\r\n`.repeat(pages - 1)}${one}Connection: close\r\n\r\n`);
    const text = await textOf(socket, 50);
    const answers = text.split('HTTP/1.1 200 OK\r\n').length - 1;
    return answers === pages ? undefined : `who read slowly got ${answers} pages of ${pages}`;
  };

  /** Sends its body a few bytes at a time. */
  readonly writeSlowly = async (): Promise<string | undefined> => {
    const body = '{"name":"Rex","categoryId":7}';
    const socket = await this.open();
    const fields = ['Host: x', KEY, 'Connection: close', 'Content-Type: application/json'];
    socket.write(`POST /v1/pets HTTP/1.1\r\n${fields.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`);
    for (const letter of body) {
      socket.write(letter);
      await delay(50);
    }
    const text = await textOf(socket);
    return text.startsWith('HTTP/1.1 201 ') ? undefined : `who wrote slowly got ${text.slice(0, 200)}`;
  };

  private async open(): Promise<Socket> {
    const socket = connect(this.port, this.host);
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    // A client that disconnects on purpose ignores the error.
    socket.on('error', () => socket.destroy());
    return socket;
  }
}

/** Reads everything until the end of the connection. @param pauseMs the pause before the next chunk */
async function textOf(socket: Socket, pauseMs = 0): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer);
    if (pauseMs > 0) await delay(pauseMs);
  }
  return Buffer.concat(chunks).toString();
}
