/** node:http that answers every request with the same bytes, a list of 20 pets: this is the cost of HTTP in Node alone. */
import { Buffer } from 'node:buffer';
import console from 'node:console';
import { createServer } from 'node:http';
import process from 'node:process';

const pets = Array.from({ length: 20 }, (_, index) => ({
  id: index + 1,
  name: `Animal ${index + 1}`,
  categoryId: (index % 50) + 1,
  status: 'available',
}));
const body = Buffer.from(JSON.stringify(pets));
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length };

createServer((request, response) => {
  response.writeHead(request.method === 'POST' ? 201 : 200, headers);
  response.end(body);
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('static is ready'));
