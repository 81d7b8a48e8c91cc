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
import { describeHeaders } from './describe-headers.js';
import { describeLists } from './lists.js';
import { describeRequestBodies } from './request-bodies.js';
import { describeSchemas } from './schemas.js';

/**
 * Completes a document that Swagger made from the controllers with everything that all operations share: errors, header
 * fields, pages, deprecations, and the rules of bodies.
 *
 * @returns the error codes of its operations, with their meaning
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
