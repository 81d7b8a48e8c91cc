import { HttpException, Injectable, Optional, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { plainToInstance, type ClassTransformOptions } from 'class-transformer';
import { validate, type ValidatorOptions } from 'class-validator';
import { RequestError } from '../errors/request.errors.js';
import { FROM_TEXTS } from './field-rules.decorators.js';
import { RequestClasses, type RequestClass } from './request-class.js';
import { countInstances, inspectInstance, lookThrough, MAX_INSTANCES, MUST_BE_SAFE } from './value-checks.js';
import { Violations, type Noun } from './violations.js';

const NOUNS: Readonly<Partial<Record<ArgumentMetadata['type'], Noun>>> = {
  query: 'query parameter',
  param: 'path parameter',
};

const VALUES: ClassTransformOptions = {};

const RULES: ValidatorOptions = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };

/**
 * Converts bodies, queries and path parameters to instances of their class and validates them, like Nest's
 * `ValidationPipe` with `transform`, `whitelist` and `forbidNonWhitelisted`. One error names every violation with its
 * path, and every name that the class does not have.
 *
 * A sent name is checked in three steps, because class-transformer ignores two kinds of names: `lookThrough` finds
 * names of `Object.prototype`, `inspectInstance` finds names of methods, and class-validator finds all other unknown
 * names. Each name is reported by one step.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  constructor(@Optional() private readonly classes: RequestClasses = new RequestClasses()) {}

  /**
   * @returns a promise only if class-validator must be asked: for nested objects, asynchronous rules, and for a report
   * @throws RequestError immediately or as a rejection: 400 with all violations
   */
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { metatype, type, data: at = '' } = metadata;
    if (type === 'custom') return value;
    const known = this.classes.get(metatype);
    if (known === undefined) return primitiveOf(value, metadata);
    assertObject(value, at);
    const isWholeQuery = type === 'query' && at === '';
    if (known.queries === undefined || !isWholeQuery) return this.validated(known, value, metadata);
    return known.queries.get(value, () => this.validated(known, value, metadata));
  }

  private validated(
    known: RequestClass,
    value: Record<string, unknown>,
    { type, data: at = '' }: ArgumentMetadata,
  ): object | Promise<object> {
    const noun = NOUNS[type] ?? 'member';
    const violations = new Violations(this.classes, noun);
    const { forbidden, unsafe } = lookThrough(value);
    for (const path of forbidden) {
      violations.addUnknown(at === '' ? path : `${at}.${path}`, path, path.includes('.') ? undefined : known.type);
    }
    const instance = instanceOf(known, value, noun === 'member' ? VALUES : FROM_TEXTS, at);
    if (countInstances(instance, this.classes) > MAX_INSTANCES) {
      throw RequestError.invalid([`The body holds more than ${MAX_INSTANCES.toLocaleString('en')} nested objects`]);
    }
    const inspected = () => {
      inspectInstance({ instance, sent: value, at, unsafe }, this.classes, violations);
      if (!violations.isEmpty) violations.throw();
      return instance;
    };
    if (hasOnlyFields(instance, known) && known.check?.isSatisfiedBy(instance) === true) return inspected();
    return validate(instance, RULES).then((errors) => {
      violations.addErrors(errors, value, at);
      return inspected();
    });
  }
}

function hasOnlyFields(instance: object, { fields }: RequestClass): boolean {
  for (const name of Object.keys(instance)) if (!fields.includes(name)) return false;
  return true;
}

function assertObject(value: unknown, at: string): asserts value is Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  if (at !== '')
    throw RequestError.invalid([`${at} ${value === undefined ? 'is required and ' : ''}must be an object`]);
  throw RequestError.invalid([
    value === undefined ? 'A body is required: send a JSON object' : 'The body must be a JSON object',
  ]);
}

/** @throws RequestError if a value has a type that the decorators of class-transformer cannot read */
function instanceOf(
  { type }: RequestClass,
  value: Record<string, unknown>,
  options: ClassTransformOptions,
  at: string,
): object {
  try {
    return plainToInstance(type, value, options);
  } catch (error) {
    // An error with its own response was thrown deliberately.
    if (error instanceof HttpException || (error instanceof Error && 'kind' in error)) throw error;
    const unreadable = Object.keys(value).filter((name) => !isReadable(type, name, value[name], options));
    // The class fails without any value too.
    if (unreadable.length === 0) throw error;
    const prefix = at === '' ? '' : `${at}.`;
    throw RequestError.invalid(unreadable.map((name) => `${prefix}${name} cannot be read: it is of another type`));
  }
}

function isReadable(type: RequestClass['type'], name: string, value: unknown, options: ClassTransformOptions): boolean {
  try {
    plainToInstance(type, { [name]: value }, options);
    return true;
  } catch {
    return false;
  }
}

/**
 * Converts a parameter of the type `number` or `boolean` like Nest's `ValidationPipe`. Unlike there, a text that is not
 * a number, or neither `true` nor `false`, stays a text, so that the parameter's own pipe refuses it: a
 * `DefaultValuePipe` would replace `NaN` by the default.
 *
 * @throws RequestError if a number would be rounded
 */
function primitiveOf(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
  if (type !== 'query' && type !== 'param') return value;
  // The handler may change its query; the one that the query parser repeats is frozen.
  if (typeof value === 'object' && value !== null && Object.isFrozen(value))
    return Object.assign(Object.create(null) as object, value);
  if (data === undefined || typeof value !== 'string') return value;
  if (metatype === Boolean) return value === 'true' || (value === 'false' ? false : value);
  if (metatype !== Number) return value;
  const number = value.trim() === '' ? NaN : Number(value);
  if (Number.isNaN(number)) return value;
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) {
    throw RequestError.invalid([`${data} ${MUST_BE_SAFE}`]);
  }
  return number;
}

export const requestValidationPipeProvider = { provide: APP_PIPE, useClass: RequestValidationPipe };
