/**
 * A server that does nothing but answer, in a process of its own on the port SOAK_CONTROL: how long its answers take tells how busy the machine
 * is, and the generator of the load, whatever the service does.
 */
import { createServer } from 'node:http';

const body = Buffer.alloc(4_096, 'x');

createServer((_request, response) => {
  response.end(body);
}).listen(Number(process.env['SOAK_CONTROL']), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${process.env['SOAK_CONTROL']}`);
});
