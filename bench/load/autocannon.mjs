/** Replaces wrk where wrk is not installed. autocannon takes more CPU from the server that it measures. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export function autocannonVersion() {
  return require('autocannon/package.json').version;
}

export async function runAutocannon({ url, key, requests, connections, seconds }) {
  const { default: autocannon } = await import('autocannon');
  let position = 0;
  const setupRequest = (request) => {
    const { method, path, body } = requests[position++ % requests.length];
    const headers = { Authorization: `Bearer ${key}` };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    return { ...request, method, path, headers, body };
  };
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 10,
    requests: [{ setupRequest }],
  });
  return {
    requests: result['2xx'] + result.non2xx,
    seconds: result.duration,
    p50: result.latency.p50,
    p90: result.latency.p90,
    p99: result.latency.p99,
    max: result.latency.max,
    errors: { status: result.non2xx, connect: result.errors - result.timeouts, timeout: result.timeouts },
  };
}
