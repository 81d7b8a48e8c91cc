/** Fastify 5 and pg, as the documentation of Fastify teaches: schemas for requests and for responses. */
import console from 'node:console';
import process from 'node:process';
import fastify from 'fastify';
import { isAuthorized } from '../shared/api-key.mjs';
import { errorBody } from '../shared/pet-rules.mjs';
import { createPet, findPet, listPets } from '../shared/pets-table.mjs';

const status = { type: 'string', enum: ['available', 'pending', 'sold'] };
const pet = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    categoryId: { type: 'integer' },
    status: { type: 'string' },
  },
};
const newPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255 },
    categoryId: { type: 'integer' },
    status,
  },
};
const listQuery = {
  type: 'object',
  properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 }, status },
};
const petPath = { type: 'object', properties: { petId: { type: 'integer' } } };

const app = fastify();

app.addHook('onRequest', async (request, reply) => {
  if (isAuthorized(request.headers.authorization)) return;
  return reply.code(401).send(errorBody(401, 'unauthorized', 'The API key is missing or invalid'));
});

app.setErrorHandler((error, request, reply) => {
  const code = error.statusCode ?? 500;
  const kind = code === 500 ? 'internal_error' : 'invalid_request';
  reply.code(code).send(errorBody(code, kind, 'The request failed'));
});

app.get(
  '/v1/pets',
  { schema: { querystring: listQuery, response: { 200: { type: 'array', items: pet } } } },
  (request) => listPets(request.query.limit, request.query.status),
);

app.post('/v1/pets', { schema: { body: newPet, response: { 201: pet } } }, async (request, reply) => {
  const created = await createPet(request.body);
  reply.code(201).header('Location', `/v1/pets/${created.id}`);
  return created;
});

app.get('/v1/pets/:petId', { schema: { params: petPath, response: { 200: pet } } }, async (request, reply) => {
  const found = await findPet(request.params.petId);
  if (found !== undefined) return found;
  return reply.code(404).send(errorBody(404, 'not_found', 'There is no such pet'));
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
console.log('fastify-pg is ready');
