import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { getMetadataStorage, validateSync } from 'class-validator';
import { closest, distance } from 'fastest-levenshtein';
import { excerpt, MAX_TOLD } from '../errors/bounded-message.js';
import { RequestError } from '../errors/request.errors.js';
import { compileChecks, type Checks } from './compiled-checks.js';

interface RequestClass {
  readonly type: Type<object>;
  readonly fields: readonly string[];
  /** Those that are declared as `bigint`. */
  readonly bigints: readonly string[];
  /** None where only class-validator itself can tell. */
  readonly obeysRules: Checks | undefined;
  /** What frozen values were found to be, so that a query string which repeats is validated once. */
  readonly validated: WeakMap<object, object>;
}

/** How far a misspelt name may be from a known one to be taken for it, in edits. */
const MAX_EDITS = 3;

/** The longest name that is compared with the known ones: a longer one is no slip of the finger, and costs time. */
const MAX_COMPARED_LENGTH = 64;

/**
 * Makes bodies and queries instances of their class, whose class-validator decorators say what is allowed.
 * Every violation is named at once, and so is every name that the class does not have.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  private readonly classes = new Map<unknown, RequestClass | undefined>();

  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    const known = this.describe(metatype);
    if (known === undefined) return value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw RequestError.invalid(['The body must be a JSON object']);
    }
    let instance = known.validated.get(value);
    if (instance === undefined) {
      instance = validate(known, value, type === 'query' ? 'query parameter' : 'member');
      if (Object.isFrozen(value)) known.validated.set(value, instance);
    }
    return instance;
  }

  /** `undefined` for what is no request class, such as a `string`. */
  private describe(metatype: ArgumentMetadata['metatype']): RequestClass | undefined {
    if (!this.classes.has(metatype)) this.classes.set(metatype, metatype && requestClass(metatype as Type<object>));
    return this.classes.get(metatype);
  }
}

function requestClass(type: Type<object>): RequestClass | undefined {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const fields = [...new Set(rules.map(({ propertyName }) => propertyName))];
  if (fields.length === 0) return undefined;
  const bigints = fields.filter(
    (field) => Reflect.getMetadata('design:type', type.prototype as object, field) === BigInt,
  );
  return { type, fields, bigints, obeysRules: compileChecks(rules), validated: new WeakMap() };
}

function validate({ type, fields, bigints, obeysRules }: RequestClass, value: object, noun: string): object {
  const unknown = Object.keys(value).filter((name) => !fields.includes(name));
  const instance = new type() as Record<string, unknown>;
  for (const field of fields) {
    if (Object.hasOwn(value, field)) instance[field] = (value as Record<string, unknown>)[field];
  }
  for (const field of bigints) instance[field] = exactInteger(instance[field]);
  if (unknown.length > 0 || obeysRules?.(instance) !== true) {
    const broken = brokenRules(instance);
    const count = broken.length + unknown.length;
    if (count > 0) throw RequestError.invalid([...broken, ...unknownNames(unknown, fields, noun)], count);
  }
  return Object.freeze(instance);
}

/** A `number` of a body is exact where it is a safe integer: what is not came as a `bigint`, or as no integer. */
function exactInteger(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

function brokenRules(instance: object): string[] {
  return validateSync(instance, { forbidUnknownValues: false }).flatMap(({ constraints = {} }) =>
    Object.values(constraints),
  );
}

/** @returns as many sentences as a message holds */
function unknownNames(unknown: readonly string[], fields: readonly string[], noun: string): string[] {
  return unknown
    .slice(0, MAX_TOLD)
    .map((name) => `unknown ${noun} ${JSON.stringify(excerpt(name))}${suggestion(name, fields)}`);
}

function suggestion(name: string, fields: readonly string[]): string {
  const nearest = name.length > MAX_COMPARED_LENGTH ? undefined : closest(name.toLowerCase(), fields);
  if (nearest !== undefined && distance(name.toLowerCase(), nearest.toLowerCase()) <= MAX_EDITS) {
    return `: did you mean ${nearest}?`;
  }
  return `: allowed are ${fields.join(', ')}`;
}

export const requestValidationPipeProvider = { provide: APP_PIPE, useClass: RequestValidationPipe };
