import type { OpenAPIObject } from '@nestjs/swagger';

/** The types of the parts of a document, which Swagger does not export by name. */
export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
type Responses = Operation['responses'];
export type Reference = Extract<NonNullable<Responses[string]>, { $ref: string }>;
export type DocumentedResponse = Exclude<NonNullable<Responses[string]>, Reference>;
export type Headers = NonNullable<DocumentedResponse['headers']>;
export type Header = Exclude<Headers[string], Reference>;
export type Schema = Exclude<NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string], Reference>;
