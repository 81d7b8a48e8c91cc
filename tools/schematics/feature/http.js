/** The files for HTTP: routes, requests, responses and their descriptions in the OpenAPI document. */
export function httpFiles({
  plural,
  singular,
  Plural,
  Singular,
  items,
  item,
  CONSTANT,
  CONSTANTS,
  code,
  words,
  manyWords,
}) {
  const id = `${item}Id`;
  return {
    [`src/http/${plural}.controller.ts`]: `
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { HttpResponse, ClientSignal, Int64IdPipe, Pages, SentIdempotencyKey } from '@animal-store/http';
import type { Cancellation, IdempotencyKey } from '@animal-store/kernel';
import { ${Plural}Service } from '../domain/${plural}.service.js';
import { Create${Singular}Request } from './create-${singular}.request.js';
import { List${Plural}Query } from './list-${plural}.query.js';
import { ${CONSTANTS} } from './${plural}.docs.js';
import { serialize${Singular} } from './${singular}.response.js';

const ID = new Int64IdPipe('${words}');

@${CONSTANTS}.group('${Plural}', 'What there is of each ${words}.')
@Controller({ path: '${plural}', version: '1' })
export class ${Plural}Controller {
  constructor(
    private readonly ${items}: ${Plural}Service,
    private readonly pages: Pages,
  ) {}

  @Get()
  @${CONSTANTS}.list()
  list(@Query() query: List${Plural}Query, @ClientSignal() signal: Cancellation): Promise<HttpResponse> {
    return this.pages.answer('/v1/${plural}', query, (pageQuery) => this.${items}.list(pageQuery, signal));
  }

  @Post()
  @${CONSTANTS}.create(Create${Singular}Request, { idempotent: true })
  async create(
    @Body() request: Create${Singular}Request,
    @SentIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HttpResponse> {
    const { added, replayed } = await this.${items}.add(request.toNew${Singular}(), key);
    return HttpResponse.created(serialize${Singular}(added), \`/v1/${plural}/\${added.id}\`, replayed);
  }

  @Get(':${id}')
  @${CONSTANTS}.get()
  async get(@Param('${id}', ID) ${id}: bigint, @ClientSignal() signal: Cancellation): Promise<HttpResponse> {
    return HttpResponse.rendered((await this.${items}.get(${id}, signal)).text);
  }

  @Post(':${id}/close')
  @HttpCode(200)
  @${CONSTANTS}.change('close', { errors: ['${code}_closed'] })
  async close(@Param('${id}', ID) ${id}: bigint): Promise<HttpResponse> {
    return HttpResponse.rendered(serialize${Singular}(await this.${items}.close(${id})));
  }
}
`,
    [`src/http/${plural}.docs.ts`]: `
import { ApiResource } from '@animal-store/http';
import { ${Singular}Response } from './${singular}.response.js';

/** The descriptions of the operations in the OpenAPI document. */
export const ${CONSTANTS} = new ApiResource({
  name: '${Singular}',
  plural: '${Plural}',
  one: '${words}',
  many: '${manyWords}',
  path: '/v1/${plural}',
  type: ${Singular}Response,
  example: { id: 1, name: 'First', status: 'open' },
});
`,
    [`src/http/create-${singular}.request.ts`]: `
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Satisfies } from '@animal-store/http';
import { ${CONSTANT}_NAME_MAX_CODE_POINTS, New${Singular}, ${item}Rules } from '../domain/${singular}.js';

@ApiSchema({ name: 'New${Singular}' })
export class Create${Singular}Request {
  @ApiProperty({ minLength: 1, maxLength: ${CONSTANT}_NAME_MAX_CODE_POINTS, pattern: '\\\\S', example: 'First' })
  @Satisfies(${item}Rules.name)
  readonly name!: string;

  toNew${Singular}(): New${Singular} {
    return new New${Singular}(this.name);
  }
}
`,
    [`src/http/list-${plural}.query.ts`]: `
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Satisfies, Optional, PageRequest } from '@animal-store/http';
import { ${CONSTANT}_STATUSES, ${item}Rules, type ${Singular}Status } from '../domain/${singular}.js';

export class List${Plural}Query extends PageRequest {
  @ApiPropertyOptional({ enum: ${CONSTANT}_STATUSES, enumName: '${Singular}Status' })
  @Optional()
  @Satisfies(${item}Rules.status)
  readonly status?: ${Singular}Status;
}
`,
    [`src/http/${singular}.response.ts`]: `
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ${CONSTANT}_NAME_MAX_CODE_POINTS, ${CONSTANT}_STATUSES, type ${Singular}, type ${Singular}Status } from '../domain/${singular}.js';

/** The schema of a response, for the OpenAPI document. {@link serialize${Singular}} writes the response. */
@ApiSchema({ name: '${Singular}' })
export class ${Singular}Response {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, example: 1 })
  readonly id!: bigint;

  @ApiProperty({ minLength: 1, maxLength: ${CONSTANT}_NAME_MAX_CODE_POINTS, example: 'First' })
  readonly name!: string;

  @ApiProperty({ enum: ${CONSTANT}_STATUSES, enumName: '${Singular}Status', example: 'open' })
  readonly status!: ${Singular}Status;
}

/** The ${words} as JSON text. The database writes the same bytes. */
export function serialize${Singular}({ id, name, status }: ${Singular}): string {
  return \`{"id":\${id},"name":\${JSON.stringify(name)},"status":"\${status}"}\`;
}
`,
  };
}
