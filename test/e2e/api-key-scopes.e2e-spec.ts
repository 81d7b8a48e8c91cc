import { Controller, Get, Module, Post } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import { Scopes } from '@animal-store/auth';
import { createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { useApp } from '../support/running-app.js';
import { createApiKey } from '../support/test-api-key.js';

@ApiBearerAuth('bearerAuth')
@Scopes('vets:read')
@Controller({ path: 'vets', version: '1' })
class VetsController {
  @Get()
  list(): object {
    return { vets: [] };
  }

  @Scopes('vets:write')
  @Post()
  add(): object {
    return { added: true };
  }
}

@Module({ controllers: [VetsController] })
class VetsModule {}

const app = useApp(createMigratedDatabase, {}, { features: [VetsModule] });

describe('the scopes of an API key', () => {
  test('open no other route: 403 names the missing one', async () => {
    const reader = await createApiKey(app, ['vets:read']);
    expect((await app.request('/v1/vets', { key: reader })).status).toBe(200);
    const answer = await app.request('/v1/vets', { method: 'POST', key: reader });
    expect(await readError(answer)).toEqual({
      code: 'forbidden',
      message: 'The API key lacks the scope vets:write: ask for a key that has it',
      status: 403,
    });
  });

  test('are in the document, by operation', async () => {
    const answer = await app.request('/openapi.json');
    const { paths } = (await answer.json()) as { paths: Record<string, Record<string, object>> };
    expect(paths['/vets']).toMatchObject({
      get: { 'x-required-scopes': ['vets:read'] },
      post: {
        'x-required-scopes': ['vets:write'],
        description: 'Requires the scope `vets:write` if the API key has a list of scopes.',
        responses: { 403: { $ref: '#/components/responses/Forbidden' } },
      },
    });
    expect(paths['/pets']).toMatchObject({
      get: { 'x-required-scopes': ['pets:read'] },
      post: { 'x-required-scopes': ['pets:write'] },
    });
  });
});
