import type { Type } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { ModulesContainer } from '@nestjs/core';
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { routeHandlers } from '../requests/route-handlers.js';
import { parametersOf } from '../requests/route-input.js';
import type { RequestClasses } from '../validation/request-class.js';
import { closeSchema } from './close-schema.js';

/** Declares that validated bodies, and the objects nested in them, have no other members. */
export function describeRequestBodies(
  document: OpenAPIObject,
  modules: ModulesContainer,
  classes: RequestClasses,
): void {
  for (const { prototype, name } of routeHandlers(modules)) {
    const types = (Reflect.getMetadata('design:paramtypes', prototype, name) ?? []) as unknown[];
    for (const { kind, index, data, pipes } of parametersOf(prototype.constructor as Type, name)) {
      const type = types[index] as Type;
      const isValidated = kind === RouteParamtypes.BODY && data === undefined && pipes.length === 0;
      if (isValidated && classes.get(type) !== undefined) closeSchema(document, getSchemaPath(type));
    }
  }
}
