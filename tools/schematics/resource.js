import { withFeature } from './features.js';
import { camel, namesOf, pascal, write } from './names.js';

/** `nest g resource orders`: a feature at `/v1/orders` that works at once, with data in memory, and its line in the list of features. */
export function resource(options) {
  const { plural, singular, folder } = namesOf(options);
  return (tree) =>
    write(tree, {
      ...filesOf(folder, plural, singular, options.spec !== false),
      ...withFeature(tree, options, `${pascal(plural)}Module`, `${folder}/${plural}.module.js`),
    });
}

function filesOf(folder, plural, singular, withSpec) {
  const Plural = pascal(plural);
  const Singular = pascal(singular);
  const items = camel(plural);
  const item = camel(singular);
  const id = `${item}Id`;
  const words = singular.replaceAll('-', ' ');
  return {
    [`${folder}/${plural}.module.ts`]: `
import { Module } from '@nestjs/common';
import { ${Plural}Controller } from './${plural}.controller.js';
import { ${Plural}Service } from './${plural}.service.js';

@Module({ controllers: [${Plural}Controller], providers: [${Plural}Service] })
export class ${Plural}Module {}
`,
    [`${folder}/${plural}.controller.ts`]: `
import { Body, Controller, Delete, Get, HttpCode, Param, ParseIntPipe, Patch, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { ApiErrors, ApiGroup } from '@animal-store/http';
import { Create${Singular}Request } from './create-${singular}.request.js';
import { ${Plural}Service } from './${plural}.service.js';
import { ${Singular}Response } from './${singular}.response.js';
import { Update${Singular}Request } from './update-${singular}.request.js';

@ApiGroup('${Plural}', 'What there is of each ${words}.')
@ApiBearerAuth('bearerAuth')
@Controller({ path: '${plural}', version: '1' })
export class ${Plural}Controller {
  constructor(private readonly ${items}: ${Plural}Service) {}

  @Post()
  @ApiCreatedResponse({ description: 'Added.', type: ${Singular}Response })
  @ApiErrors('payload_too_large', 'unsupported_media_type')
  create(@Body() request: Create${Singular}Request): ${Singular}Response {
    return this.${items}.create(request);
  }

  @Get()
  @ApiOkResponse({ description: 'All of them.', type: [${Singular}Response] })
  @ApiErrors()
  list(): ${Singular}Response[] {
    return this.${items}.list();
  }

  @Get(':${id}')
  @ApiOkResponse({ description: 'Found.', type: ${Singular}Response })
  @ApiErrors('not_found')
  get(@Param('${id}', ParseIntPipe) ${id}: number): ${Singular}Response {
    return this.${items}.get(${id});
  }

  @Patch(':${id}')
  @ApiOkResponse({ description: 'Changed.', type: ${Singular}Response })
  @ApiErrors('not_found', 'payload_too_large', 'unsupported_media_type')
  update(@Param('${id}', ParseIntPipe) ${id}: number, @Body() request: Update${Singular}Request): ${Singular}Response {
    return this.${items}.update(${id}, request);
  }

  @Delete(':${id}')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Removed.' })
  @ApiErrors('not_found')
  remove(@Param('${id}', ParseIntPipe) ${id}: number): void {
    this.${items}.remove(${id});
  }
}
`,
    [`${folder}/${plural}.service.ts`]: `
import { Injectable, NotFoundException } from '@nestjs/common';
import type { Create${Singular}Request } from './create-${singular}.request.js';
import type { ${Singular}Response } from './${singular}.response.js';
import type { Update${Singular}Request } from './update-${singular}.request.js';

/** Stores everything in the memory of this process, until there is a domain library with a repository. */
@Injectable()
export class ${Plural}Service {
  private readonly byId = new Map<number, ${Singular}Response>();
  private lastId = 0;

  create({ name }: Create${Singular}Request): ${Singular}Response {
    return this.keep({ id: ++this.lastId, name });
  }

  list(): ${Singular}Response[] {
    return [...this.byId.values()];
  }

  get(id: number): ${Singular}Response {
    const found = this.byId.get(id);
    if (found === undefined) throw new NotFoundException('There is no ${words} with this id');
    return found;
  }

  update(id: number, { name }: Update${Singular}Request): ${Singular}Response {
    const current = this.get(id);
    return this.keep({ id, name: name ?? current.name });
  }

  remove(id: number): void {
    this.byId.delete(this.get(id).id);
  }

  private keep(${item}: ${Singular}Response): ${Singular}Response {
    this.byId.set(${item}.id, ${item});
    return ${item};
  }
}
`,
    [`${folder}/create-${singular}.request.ts`]: `
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';

export class Create${Singular}Request {
  @ApiProperty({ minLength: 1, maxLength: 255, example: 'First' })
  @IsString()
  @Length(1, 255)
  readonly name!: string;
}
`,
    [`${folder}/update-${singular}.request.ts`]: `
import { PartialType } from '@nestjs/swagger';
import { Create${Singular}Request } from './create-${singular}.request.js';

/** Omitted fields do not change. */
export class Update${Singular}Request extends PartialType(Create${Singular}Request) {}
`,
    [`${folder}/${singular}.response.ts`]: `
import { ApiProperty } from '@nestjs/swagger';

export class ${Singular}Response {
  @ApiProperty({ type: 'integer', example: 1 })
  readonly id!: number;

  @ApiProperty({ example: 'First' })
  readonly name!: string;
}
`,
    ...(withSpec && {
      [`${folder}/${plural}.service.spec.ts`]: `
import { ${Plural}Service } from './${plural}.service.js';

describe('${Plural}Service', () => {
  const ${items} = new ${Plural}Service();

  test('keeps what it creates, changes and removes it', () => {
    expect(${items}.create({ name: 'First' })).toEqual({ id: 1, name: 'First' });
    expect(${items}.update(1, { name: 'Second' })).toEqual({ id: 1, name: 'Second' });
    expect(${items}.list()).toEqual([${items}.get(1)]);
    ${items}.remove(1);
    expect(() => ${items}.get(1)).toThrow('There is no ${words} with this id');
  });
});
`,
    }),
  };
}
