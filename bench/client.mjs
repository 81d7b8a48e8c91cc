/** A small HTTP client for all requests except load: to start servers, to verify answers, to walk through pages. */
import { Buffer } from 'node:buffer';
import http from 'node:http';
import { API_KEY } from './servers.mjs';

const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });

/**
 * Sends one request with the key of the benchmark (or with `key`; `null` sends no key). Resolves with the status, the
 * headers, the parsed body and the text of the body. The request body is a value (`body`) or JSON text (`payload`).
 */
export function request(
  server,
  method,
  path,
  { key = API_KEY, body, payload = body === undefined ? undefined : JSON.stringify(body), keepAlive = true } = {},
) {
  const headers = {};
  if (key !== null) headers.Authorization = `Bearer ${key}`;
  if (payload !== undefined) {
    headers['Content-Type'] = 'application/json';
    headers['Content-Length'] = Buffer.byteLength(payload);
  }
  const options = { method, headers, agent: keepAlive ? agent : false, timeout: 10_000 };
  return new Promise((resolve, reject) => {
    const outgoing = http.request(server.url + path, options, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        try {
          resolve({ status: response.statusCode, headers: response.headers, body: JSON.parse(text), text });
        } catch {
          reject(new Error(`${server.name} answered ${method} ${path} with something that is not JSON`));
        }
      });
    });
    outgoing.on('error', reject);
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${server.name} did not answer within 10 seconds`)));
    outgoing.end(payload);
  });
}
