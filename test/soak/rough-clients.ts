import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { TEST_API_KEY } from '../support/running-app.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;

/** Clients that disconnect. */
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
