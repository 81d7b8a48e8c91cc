import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { plainToInstance } from 'class-transformer';
import {
  addressOf,
  declaredParameters,
  declaredRoutes,
  hasPipes,
  ParameterKind,
  type DeclaredParameter,
  type DeclaredRoute,
} from '../requests/route-metadata.js';
import { RequestClasses, type RequestClass } from './request-class.js';

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
 * tests of a module do not find, because every request passes.
 */
@Injectable()
export class RequestClassCheck implements OnModuleInit {
  private readonly checked = new Set<unknown>();

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
      const known = this.classes.get(type);
      const where = `${type.name} of ${decorator} in ${controller.name}.${method} (${addressOf(route)})`;
      if (known !== undefined) this.checkClass(known, where);
      // The parameter's own pipes may handle the type.
      else if (!hasPipes(route) && !isPiped(parameter)) {
        throw new UncheckedRequestError(
          `${where} has no rule, and so nothing of it would be validated. ` +
            'Give its members decorators of class-validator, such as @IsString(), or @Allow() where anything will do; ' +
            `for another way to validate it, give the parameter a pipe of its own: ${decorator.slice(0, -1)}new MyPipe())`,
        );
      }
    }
  }

  private checkClass(known: RequestClass, where: string): void {
    if (this.checked.has(known.type)) return;
    this.checked.add(known.type);
    for (const field of known.nestedFields) {
      const type = nestedType(known, field);
      const member = `${known.type.name}.${field}, a part of ${where},`;
      if (type === Object) {
        throw new UncheckedRequestError(
          `${member} has @ValidateNested() and no @Type(): nothing of it would be validated. Add @Type(() => …) with its class`,
        );
      }
      if (BUILT_IN.includes(type)) continue;
      const nested = this.classes.get(type);
      if (nested !== undefined) this.checkClass(nested, where);
      else {
        throw new UncheckedRequestError(
          `${member} is of a class that has no rule: nothing of it would be validated. Give the members of ` +
            `${(type as Type).name} decorators of class-validator, such as @IsString(), or @Allow() where anything will do`,
        );
      }
    }
  }
}

function isPiped({ pipes, schema }: DeclaredParameter): boolean {
  return pipes.length > 0 || schema !== undefined;
}

/** The class of the instances that class-transformer makes in this field; `undefined` if that needs a real value. */
function nestedType({ type }: RequestClass, field: string): unknown {
  try {
    const made = plainToInstance(type, { [field]: {} }) as Record<string, unknown>;
    return made[field]?.constructor;
  } catch {
    return undefined;
  }
}
