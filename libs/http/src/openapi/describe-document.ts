import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ErrorCodes, type ErrorCodeEntry } from '../errors/error-codes.js';
import { RouteTable } from '../server/route-table.js';
import { RequestClasses } from '../validation/request-class.js';
import { describeFields } from './response-headers.js';
import { describeDeprecations } from './deprecations.js';
import { describedCodes, describeErrors } from './error-responses.js';
import { addHead, addOptions } from './every-address.js';
import { describeExamples } from './examples.js';
import { describeHeaders } from './headers.js';
import { describeLists } from './lists.js';
import { describeRequestBodies } from './request-bodies.js';
import { describeSchemas } from './schemas.js';

/**
 * Completes a document that Swagger made of the controllers with what holds for all of them: errors, header fields, pages,
 * deprecations, and what a body may hold.
 *
 * @returns the error codes that its operations name, with what they mean
 */
export function describeDocument(app: INestApplication, document: OpenAPIObject): [string, ErrorCodeEntry][] {
  const find = <Provider>(type: new (...parts: never[]) => Provider): Provider => app.get(type, { strict: false });
  const codes = find(ErrorCodes);
  describeLists(document);
  addOptions(document);
  describeFields(document);
  describeErrors(document, codes);
  describeDeprecations(document, find(RouteTable));
  describeExamples(document);
  addHead(document);
  describeHeaders(document);
  describeRequestBodies(document, find(ModulesContainer), find(RequestClasses));
  describeSchemas(document);
  return describedCodes(document, codes);
}
