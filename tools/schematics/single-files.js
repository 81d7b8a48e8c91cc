import { ModuleDeclarator, ModuleFinder } from '@nestjs/schematics';
import { withFeature } from './features.js';
import { namesOf, pascal, write } from './names.js';

/** `nest g controller orders`: a controller at `/v1/orders`, in the module next to it. */
export function controller(options) {
  const content = (Name, name) => `
import { Controller } from '@nestjs/common';

@Controller({ path: '${name}', version: '1' })
export class ${Name}Controller {}
`;
  return declared(options, 'controller', 'controllers', content);
}

/** `nest g service orders`: a provider of the module next to it. */
export function service(options) {
  const content = (Name) => `
import { Injectable } from '@nestjs/common';

@Injectable()
export class ${Name}Service {}
`;
  return declared(options, 'service', 'providers', content);
}

/** `nest g module orders`: a module, imported by the module of the folder above, or otherwise by the list of features. */
export function module(options) {
  const content = (Name) => `
import { Module } from '@nestjs/common';

@Module({})
export class ${Name}Module {}
`;
  return declared({ ...options, spec: false }, 'module', 'imports', content);
}

function declared(options, type, metadata, canonicalForm) {
  const { plural: name, folder } = namesOf(options);
  return (tree) => {
    const files = {
      [`${folder}/${name}.${type}.ts`]: canonicalForm(pascal(name), name),
      ...specOf(options, folder, name, type),
    };
    const parent = new ModuleFinder(tree).find({ name, path: `/${folder}` });
    if (type === 'module' && parent === `/${options.sourceRoot}/app.module.ts`)
      return write(tree, {
        ...files,
        ...withFeature(tree, options, `${pascal(name)}Module`, `${folder}/${name}.module.js`),
      });
    if (options.skipImport === true || !parent) return write(tree, files);
    const declaration = { name, path: `/${folder}`, metadata, type, module: parent, isEsm: true };
    const text = new ModuleDeclarator().declare(tree.read(parent).toString(), declaration);
    return write(tree, { ...files, [parent.slice(1)]: text });
  };
}

/** `nest g guard owner` and similar: as Nest's schematics, but with types that the linter accepts. */
export const guard = single(
  'guard',
  (Name) => `
import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';

@Injectable()
export class ${Name}Guard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    return request.method !== '';
  }
}
`,
);

export const pipe = single(
  'pipe',
  (Name) => `
import { Injectable, PipeTransform } from '@nestjs/common';

@Injectable()
export class ${Name}Pipe implements PipeTransform<unknown, unknown> {
  transform(value: unknown): unknown {
    return value;
  }
}
`,
);

export const filter = single(
  'filter',
  (Name) => `
import { ArgumentsHost, Catch } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';

/** Add the classes that it catches: \`@Catch(TeapotError)\`. */
@Catch()
export class ${Name}Filter extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    super.catch(exception, host);
  }
}
`,
);

export const interceptor = single(
  'interceptor',
  (Name) => `
import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';

@Injectable()
export class ${Name}Interceptor implements NestInterceptor<unknown, unknown> {
  intercept(_context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle();
  }
}
`,
);

export const middleware = single(
  'middleware',
  (Name) => `
import { Injectable, NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

@Injectable()
export class ${Name}Middleware implements NestMiddleware {
  use(_request: Request, _response: Response, next: NextFunction): void {
    next();
  }
}
`,
);

function single(type, canonicalForm) {
  return (options) => {
    const { plural, folder } = namesOf(options);
    return (tree) =>
      write(tree, {
        [`${folder}/${plural}.${type}.ts`]: canonicalForm(pascal(plural)),
        ...specOf(options, folder, plural, type),
      });
  };
}

function specOf({ spec }, folder, name, type) {
  const className = pascal(name) + pascal(type);
  if (spec === false) return {};
  return {
    [`${folder}/${name}.${type}.spec.ts`]: `
import { ${className} } from './${name}.${type}.js';

describe('${className}', () => {
  test('can be made', () => {
    expect(new ${className}()).toBeInstanceOf(${className});
  });
});
`,
  };
}
