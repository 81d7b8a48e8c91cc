import type { OpenAPIObject } from '@nestjs/swagger';

type HeaderOrReference = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>[string];

/** The description of a header field, as in the OpenAPI document. */
export type Header = Exclude<HeaderOrReference, { $ref: string }>;

/** The header fields that modules add to every response, by name: documented, and readable for pages of other origins. */
export class ModuleHeaders extends Map<string, Header> {}
