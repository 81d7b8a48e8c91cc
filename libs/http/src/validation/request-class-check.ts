import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import {
  declaredParameters,
  declaredRoutes,
  hasPipes,
  ParameterKind,
  type DeclaredParameter,
  type DeclaredRoute,
} from '../requests/route-metadata.js';
import { RequestClasses } from './request-class.js';

/** Types of parameters that have no rules. */
const BUILT_IN: readonly unknown[] = [
  undefined,
  ...[Object, Array, String, Number, Boolean, BigInt, Symbol, Date, Map, Set, Promise, Function, Buffer],
];

const KINDS = new Map<unknown, string>([
  [ParameterKind.BODY, '@Body()'],
  [ParameterKind.QUERY, '@Query()'],
  [ParameterKind.PARAM, '@Param()'],
]);

/** A request class would accept values without validation. */
class UncheckedRequestError extends Error {}

/**
 * Checks the request classes of all routes when the application starts. A class without rules is a mistake that the
 * tests of a module do not find, because every request passes. A nested class without rules fails with its first
 * request.
 */
@Injectable()
export class RequestClassCheck implements OnModuleInit {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly classes: RequestClasses,
  ) {}

  /** @throws UncheckedRequestError that names the class, the route and the solution */
  onModuleInit(): void {
    for (const route of declaredRoutes(this.modules)) this.checkRoute(route);
  }

  private checkRoute(route: DeclaredRoute): void {
    const { controller, name: method } = route;
    const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) ?? []) as unknown[];
    for (const parameter of declaredParameters(controller, method)) {
      const type = types[parameter.index];
      const decorator = KINDS.get(parameter.kind);
      if (decorator === undefined || BUILT_IN.includes(type) || typeof type !== 'function') continue;
      // The parameter's own pipes may handle the type.
      if (this.classes.get(type) === undefined && !hasPipes(route) && !isPiped(parameter)) {
        throw new UncheckedRequestError(
          `${type.name} of ${decorator} in ${controller.name}.${method} has no rule, ` +
            'and so nothing of it would be validated. Give its members decorators of class-validator, such as @IsString(), or @Allow() where anything will do; ' +
            `for another way to validate it, give the parameter a pipe of its own: ${decorator.slice(0, -1)}new MyPipe())`,
        );
      }
    }
  }
}

function isPiped({ pipes, schema }: DeclaredParameter): boolean {
  return pipes.length > 0 || schema !== undefined;
}
