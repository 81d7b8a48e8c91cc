import { Injectable, StandardSchemaValidationPipe, type OnModuleInit } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import {
  declaredParameters,
  declaredRoutes,
  hasPipes,
  ParameterKind,
  type DeclaredParameter,
  type DeclaredRoute,
} from '../routes/route-metadata.js';
import { routeInput } from '../bodies/route-input.js';
import { RequestClasses } from '../validation/request-class.js';

/** A declaration that would have no effect in this service, or would let values in without validation. */
class MisleadingDeclarationError extends Error {}

/**
 * Refuses to start an application with declarations that would have no effect. The tests of a module do not find such a
 * mistake, because every request passes. Each error names the class, the method and the right way.
 */
@Injectable()
export class RouteDeclarationCheck implements OnModuleInit {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
    private readonly classes: RequestClasses,
  ) {}

  /** @throws MisleadingDeclarationError */
  onModuleInit(): void {
    refuseGateways(this.modules);
    for (const route of declaredRoutes(this.modules)) {
      const parameters = declaredParameters(route.controller, route.name);
      refuseUnreadableFiles(route, parameters);
      if (hasPipes(route)) continue;
      if (!this.checksSchemas()) refuseUncheckedSchemas(route, parameters);
      this.refuseUncheckedClasses(route, parameters);
    }
  }

  private checksSchemas(): boolean {
    return (
      this.config.getGlobalPipes().some((pipe) => pipe instanceof StandardSchemaValidationPipe) ||
      this.config.getGlobalRequestPipes().some(({ metatype }) => metatype === StandardSchemaValidationPipe)
    );
  }

  /** A class without rules would accept everything. A nested class without rules fails with its first request. */
  private refuseUncheckedClasses({ controller, name }: DeclaredRoute, parameters: readonly DeclaredParameter[]): void {
    const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) ?? []) as unknown[];
    for (const { kind, index, pipes, schema } of parameters) {
      const type = types[index];
      const decorator = DECORATORS.get(kind);
      if (decorator === undefined || BUILT_IN.includes(type) || typeof type !== 'function') continue;
      // The parameter's own pipes may handle the type.
      if (this.classes.get(type) !== undefined || pipes.length > 0 || schema !== undefined) continue;
      throw new MisleadingDeclarationError(
        `${type.name} of ${decorator} in ${controller.name}.${name} has no rule, ` +
          'and so nothing of it would be validated. Give its members decorators of class-validator, such as @IsString(), or @Allow() where anything will do; ' +
          `for another way to validate it, give the parameter a pipe of its own: ${decorator.slice(0, -1)}new MyPipe())`,
      );
    }
  }
}

/** The decorators of the parameters that may have a class. */
const DECORATORS = new Map<unknown, string>([
  [ParameterKind.BODY, '@Body()'],
  [ParameterKind.QUERY, '@Query()'],
  [ParameterKind.PARAM, '@Param()'],
]);

/** Types of parameters that have no rules. */
const BUILT_IN: readonly unknown[] = [
  undefined,
  ...[Object, Array, String, Number, Boolean, BigInt, Symbol, Date, Map, Set, Promise, Function, Buffer],
];

/** The metadata of `@WebSocketGateway()` on a class. */
const GATEWAY = 'websockets:is_gateway';

function refuseGateways(modules: ModulesContainer): void {
  for (const { providers } of modules.values()) {
    for (const { metatype } of providers.values()) {
      if (typeof metatype !== 'function' || !Reflect.hasMetadata(GATEWAY, metatype)) continue;
      throw new MisleadingDeclarationError(
        `${metatype.name} is a @WebSocketGateway(): the server offers no other protocol than HTTP. @Sse() sends events`,
      );
    }
  }
}

function refuseUnreadableFiles(
  { controller, name, handler }: DeclaredRoute,
  parameters: readonly DeclaredParameter[],
): void {
  const takesFiles = parameters.some(({ kind }) => kind === ParameterKind.FILE || kind === ParameterKind.FILES);
  if (!takesFiles || routeInput(controller, handler).ownMediaTypes.length > 0) return;
  throw new MisleadingDeclarationError(
    `${controller.name}.${name} takes files, and does not say that it takes another media type than JSON: give it ` +
      "@ApiConsumes('multipart/form-data')",
  );
}

/** Nest leaves the schema of a parameter to a pipe that the application must register. */
function refuseUncheckedSchemas({ controller, name }: DeclaredRoute, parameters: readonly DeclaredParameter[]): void {
  if (!parameters.some(({ schema, pipes }) => schema !== undefined && pipes.length === 0)) return;
  throw new MisleadingDeclarationError(
    `A parameter of ${controller.name}.${name} has a schema, and no pipe looks at it: call ` +
      'app.useGlobalPipes(new StandardSchemaValidationPipe()) in configure, or give the parameter { schema, pipes: [...] }',
  );
}
