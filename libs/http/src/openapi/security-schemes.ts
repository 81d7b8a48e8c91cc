import type { OpenAPIObject } from '@nestjs/swagger';

/** A way to authenticate, such as `{ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }`. */
export type SecurityScheme = NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>[string];

/** The ways to authenticate that modules declare besides the API key, by the names that `@ApiSecurity` uses. */
export class SecuritySchemes extends Map<string, SecurityScheme> {}
