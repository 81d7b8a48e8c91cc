/** node:http and pg, and nothing else: the minimum of work per request for a server written by hand. */
import { Buffer } from 'node:buffer';
import console from 'node:console';
import { createServer } from 'node:http';
import process from 'node:process';
import { URLSearchParams } from 'node:url';
import { isAuthorized } from '../shared/api-key.mjs';
import { errorBody, isNewPet, isStatusFilter, parseLimit } from '../shared/pet-rules.mjs';
import { createPet, findPet, listPets } from '../shared/pets-table.mjs';

function send(response, status, value, headers = {}) {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

function sendError(response, status, code, message) {
  send(response, status, errorBody(status, code, message));
}

async function readJson(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

async function list(query, response) {
  const parameters = new URLSearchParams(query);
  const limit = parseLimit(parameters.get('limit') ?? undefined);
  const status = parameters.get('status') ?? undefined;
  if (limit === undefined || !isStatusFilter(status)) {
    return sendError(response, 400, 'invalid_request', 'limit or status is invalid');
  }
  send(response, 200, await listPets(limit, status));
}

async function get(petId, response) {
  const pet = /^[0-9]{1,15}$/.test(petId) ? await findPet(petId) : undefined;
  if (pet === undefined) return sendError(response, 404, 'not_found', 'There is no such pet');
  send(response, 200, pet);
}

async function create(request, response) {
  const body = await readJson(request);
  if (!isNewPet(body)) return sendError(response, 400, 'invalid_request', 'The body is not a new pet');
  const pet = await createPet(body);
  send(response, 201, pet, { Location: `/v1/pets/${pet.id}` });
}

async function route(request, response) {
  if (!isAuthorized(request.headers.authorization)) {
    return sendError(response, 401, 'unauthorized', 'The API key is missing or invalid');
  }
  const [path, query] = request.url.split('?', 2);
  if (path === '/v1/pets') {
    if (request.method === 'GET') return list(query, response);
    if (request.method === 'POST') return create(request, response);
  } else if (path.startsWith('/v1/pets/') && request.method === 'GET') {
    return get(path.slice('/v1/pets/'.length), response);
  }
  sendError(response, 404, 'not_found', 'There is nothing here');
}

createServer((request, response) => {
  route(request, response).catch(() => sendError(response, 500, 'internal_error', 'Something went wrong'));
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('raw-pg is ready'));
