/** Express 5 and pg, as the guides of Express teach: `express.json()`, a middleware for the key, three routes. */
import console from 'node:console';
import process from 'node:process';
import express from 'express';
import { isAuthorized } from '../shared/api-key.mjs';
import { errorBody, isNewPet, isStatusFilter, parseLimit } from '../shared/pet-rules.mjs';
import { createPet, findPet, listPets } from '../shared/pets-table.mjs';

const app = express();

function sendError(response, status, code, message) {
  response.status(status).json(errorBody(status, code, message));
}

app.use((request, response, next) => {
  if (isAuthorized(request.get('Authorization'))) return next();
  sendError(response, 401, 'unauthorized', 'The API key is missing or invalid');
});
app.use(express.json());

app.get('/v1/pets', async (request, response) => {
  const limit = parseLimit(request.query.limit);
  const { status } = request.query;
  if (limit === undefined || !isStatusFilter(status)) {
    return sendError(response, 400, 'invalid_request', 'limit or status is invalid');
  }
  response.json(await listPets(limit, status));
});

app.post('/v1/pets', async (request, response) => {
  if (!isNewPet(request.body)) {
    return sendError(response, 400, 'invalid_request', 'The body is not a new pet');
  }
  const pet = await createPet(request.body);
  response.status(201).location(`/v1/pets/${pet.id}`).json(pet);
});

app.get('/v1/pets/:petId', async (request, response) => {
  const { petId } = request.params;
  const pet = /^[0-9]{1,15}$/.test(petId) ? await findPet(petId) : undefined;
  if (pet === undefined) return sendError(response, 404, 'not_found', 'There is no such pet');
  response.json(pet);
});

app.use((error, request, response, next) => {
  if (response.headersSent) return next(error);
  const status = error.status ?? 500;
  sendError(response, status, status === 500 ? 'internal_error' : 'invalid_request', 'The request failed');
});

app.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('express-pg is ready'));
