import { HttpException, Injectable, Optional, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { plainToInstance, type ClassTransformOptions } from 'class-transformer';
import { validate, validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';
import { RequestError } from '../errors/request.errors.js';
import { boundLists, inspectInstance } from './instance-values.js';
import { FROM_TEXTS } from './int64.decorator.js';
import { primitiveOf } from './primitives.js';
import { RequestClasses, type RequestClass } from './request-class.js';
import { lookThrough, MAX_INSTANCES } from './sent-values.js';
import { Violations, type Noun } from './violations.js';

const NOUNS: Readonly<Partial<Record<ArgumentMetadata['type'], Noun>>> = {
  query: 'query parameter',
  param: 'path parameter',
};

const TEXTS: ClassTransformOptions = FROM_TEXTS;
const VALUES: ClassTransformOptions = {};

const RULES: ValidatorOptions = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };

/** A value that becomes an instance, and its place in the request. */
interface Sent {
  readonly value: Record<string, unknown>;
  readonly noun: Noun;
  /** The path of the value: `''` for a whole body or query. */
  readonly at: string;
}

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
   * @returns a promise only if the class has nested objects that are not compiled, or a rule is asynchronous (ADR 0012)
   */
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    return this.forParameter(metadata)(value);
  }

  /** @returns {@link transform} for the values of one parameter, whose class is looked up only once */
  forParameter(metadata: ArgumentMetadata): (value: unknown) => unknown {
    const { metatype, type, data: at = '' } = metadata;
    if (type === 'custom') return (value) => value;
    const known = this.classes.get(metatype);
    if (known === undefined) return (value) => primitiveOf(value, metadata);
    const noun = NOUNS[type] ?? 'member';
    const isText = noun !== 'member';
    return (value) => {
      assertObject(value, at);
      return known.make?.(value, { isText, instances: 0 }) ?? this.transformed(known, { value, noun, at });
    };
  }

  private transformed(known: RequestClass, { value: original, noun, at }: Sent): unknown {
    // A value that requests share is frozen, and class-transformer may remove a discriminator.
    const value = Object.isFrozen(original) ? { ...original } : original;
    const violations = new Violations(this.classes, noun);
    const { forbidden, unsafe } = lookThrough(value);
    for (const path of forbidden) {
      violations.addUnknown(at === '' ? path : `${at}.${path}`, path, path.includes('.') ? undefined : known.type);
    }
    const instance = instanceOf(known, value, noun === 'member' ? VALUES : TEXTS, at);
    if (boundLists(instance, this.classes) > MAX_INSTANCES) {
      throw RequestError.invalid([`The body holds more than ${MAX_INSTANCES.toLocaleString('en')} nested objects`]);
    }
    const inspect = () => {
      inspectInstance({ instance, sent: value, at, unsafe }, this.classes, violations);
      if (!violations.isEmpty) violations.throw();
      return instance;
    };
    if (known.satisfiesRules !== undefined) {
      const isAllowed = (name: string) => known.fields.includes(name) || !Object.hasOwn(value, name);
      if (Object.keys(instance).every(isAllowed) && known.satisfiesRules(instance)) return inspect();
      violations.addErrors(inOrder(validateSync(instance, RULES), known), value, at);
      if (!violations.isEmpty) return inspect();
    }
    return validate(instance, RULES).then((errors) => {
      violations.addErrors(inOrder(errors, known), value, at);
      return inspect();
    });
  }
}

/** class-validator reports inherited fields last. */
function inOrder(errors: readonly ValidationError[], { fields }: RequestClass): ValidationError[] {
  return errors.toSorted((one, other) => fields.indexOf(one.property) - fields.indexOf(other.property));
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

export const requestValidationPipeProvider = { provide: APP_PIPE, useClass: RequestValidationPipe };
