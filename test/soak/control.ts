/**
 * A server that only answers, in a separate process on the port SOAK_CONTROL. Its latency shows how busy the machine and the load generator
 * are, independently of the service.
 */
import { createServer } from 'node:http';

const body = Buffer.alloc(4_096, 'x');

createServer((_request, response) => {
  response.end(body);
}).listen(Number(process.env['SOAK_CONTROL']), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${process.env['SOAK_CONTROL']}`);
});
