import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiSecurity, ApiTags, type OpenAPIObject } from '@nestjs/swagger';
import type { BaseErrorCode } from '../errors/error-codes.js';

/** A group of operations in the OpenAPI document, which calls a group a tag. */
export type OperationGroup = NonNullable<OpenAPIObject['tags']>[number];

/** The metadata key of a controller's {@link OperationGroup}. */
export const GROUP = 'animal-store:api-group';

/** Puts the operations of a controller into a group, and describes the group. `ApiTags` only does the first. */
export function ApiGroup(name: string, description: string): ClassDecorator {
  return applyDecorators(ApiTags(name), SetMetadata(GROUP, { name, description } satisfies OperationGroup));
}

/** A way to authenticate, such as `{ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }`. */
export type SecurityScheme = NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>[string];

/** The metadata key of the security schemes of a controller or a handler, by their names. */
export const SECURITY_SCHEMES = 'animal-store:api-security-schemes';

/**
 * Documents that operations need another way to authenticate: besides the API key, or instead of it if they are public.
 * The decorator only describes what a guard of the module checks.
 *
 * @param name of the scheme in the document: other controllers may refer to it with `ApiSecurity(name)`
 */
export function ApiSecurityScheme(name: string, scheme: SecurityScheme): ClassDecorator & MethodDecorator {
  const addScheme = (target: object, _name?: unknown, descriptor?: PropertyDescriptor): void => {
    const owner = (descriptor?.value ?? target) as object;
    const before = Reflect.getMetadata(SECURITY_SCHEMES, owner) as object | undefined;
    Reflect.defineMetadata(SECURITY_SCHEMES, { ...before, [name]: scheme }, owner);
  };
  return applyDecorators(ApiSecurity(name), addScheme);
}

/** The metadata key of the error codes of an operation. */
export const CODES = 'animal-store:api-errors';

/**
 * Documents the errors of an operation besides those of all operations.
 *
 * @param codes codes of the base, or codes that a module registered
 */
export function ApiErrors(...codes: (BaseErrorCode | (string & {}))[]): MethodDecorator {
  return SetMetadata(CODES, [...new Set(codes)]);
}
