import {
  BadRequestException,
  Injectable,
  StandardSchemaValidationPipe,
  ValidationPipe,
  type ArgumentMetadata,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { MAX_MEMBERS } from '../bodies/body.guard.js';
import { quoteName } from '../errors/sentences.js';
import { FROM_STRINGS, isCachedQuery } from './rules.js';
import { exceptionFor, suggestion, type FieldKind } from './violations.js';

/** The names of every object's prototype, and `prototype`: Nest removes three of them, class-transformer ignores the others. */
const FORBIDDEN = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/** The declared types that hold no other values. */
const PRIMITIVES: readonly unknown[] = [String, Number, Boolean, BigInt];

/** Whether the declared type of a parameter is a class with rules, for Nest's pipe. */
function isClass(type: unknown): type is Type {
  return typeof type === 'function' && ![...PRIMITIVES, Array, Object, Buffer, Date].includes(type);
}

/** What class-validator found. It never leaves the pipe, which makes the sentences of it. */
class InvalidInstance extends Error {
  constructor(readonly errors: readonly ValidationError[]) {
    super();
  }
}

const OPTIONS = {
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  // The class of the object that has an unknown member tells the names that are known.
  validationError: { target: true, value: true },
  exceptionFactory: (errors: readonly ValidationError[]) => new InvalidInstance(errors),
};

/**
 * Nest's `ValidationPipe` with `transform`, `whitelist` and `forbidNonWhitelisted`. One `BadRequestException` names every
 * violation with its path, and every name that the class does not have. A parameter with a schema is validated by that.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  private readonly bodies = new ValidationPipe(OPTIONS);
  private readonly texts = new ValidationPipe({ ...OPTIONS, transformOptions: FROM_STRINGS });
  private readonly schemas = new StandardSchemaValidationPipe();
  /** By the frozen objects that the query parser repeats, the instances that were made of them. */
  private readonly queries = new WeakMap<object, object>();

  /** @throws BadRequestException with all violations */
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { type, metatype } = metadata;
    const known = type === 'query' ? this.queries.get(value as object) : undefined;
    // A value and not a promise: Nest awaits both.
    if (known !== undefined && metatype !== undefined && known.constructor === metatype) return known;
    // As in `@Body({ schema })`.
    if (metadata.schema !== undefined) return this.schemas.transform(value, metadata);
    if (type !== 'custom' && isClass(metatype)) return this.validated(value, metatype, metadata);
    // The handler may change its query; the one that the query parser repeats is frozen.
    const own = type === 'query' && typeof value === 'object' && Object.isFrozen(value) ? { ...value } : value;
    return metatype === (BigInt as unknown) ? own : this.texts.transform(own, metadata);
  }

  private async validated(value: unknown, metatype: Type, metadata: ArgumentMetadata): Promise<object> {
    const isBody = metadata.type === 'body';
    if (!isObject(value) || Array.isArray(value)) throw noObject(value, metadata);
    const noun = isBody ? 'member' : 'query parameter';
    refuseNames(value, metatype, noun);
    const isFlat = !Object.values(value).some(isObject);
    try {
      const sent = isFlat ? value : withoutUnreadValues(value, metatype);
      const instance = (await (isBody ? this.bodies : this.texts).transform(sent, metadata)) as object;
      if (isCachedQuery(metatype) && Object.isFrozen(value)) this.queries.set(value, Object.freeze(instance));
      return instance;
    } catch (error) {
      throw error instanceof InvalidInstance ? exceptionFor(error.errors, noun, metadata.data) : error;
    }
  }
}

function noObject(value: unknown, { data }: ArgumentMetadata): BadRequestException {
  if (data !== undefined)
    return new BadRequestException(`${data} ${value === undefined ? 'is required and ' : ''}must be an object`);
  return new BadRequestException(
    value === undefined ? 'A body is required: send a JSON object' : 'The body must be a JSON object',
  );
}

/** Refuses names that class-transformer would drop silently, and more of them than it can take: its time is quadratic. */
function refuseNames(sent: object, type: Type, noun: FieldKind): void {
  const names = Object.keys(sent);
  if (names.length > MAX_MEMBERS) throw new BadRequestException(`There are more than ${MAX_MEMBERS} ${noun}s`);
  const forbidden = names.find((name) => FORBIDDEN.has(name));
  if (forbidden !== undefined)
    throw new BadRequestException(`unknown ${noun} ${quoteName(forbidden)}${suggestion(forbidden, type)}`);
}

/**
 * A copy in which objects and long lists in the place of a text or a number are empty: they are refused whatever they hold,
 * and class-transformer would copy all of it.
 *
 * @throws BadRequestException for a list that is too long: class-validator checks each element before the rule for the length
 */
function withoutUnreadValues(sent: object, type: Type): object {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const longest = new Map(
    rules
      .filter(({ name }) => name === 'arrayMaxSize')
      .map((rule) => [rule.propertyName, rule.constraints[0] as number]),
  );
  const members = Object.entries(sent).map(([name, value]: [string, unknown]) => {
    if (!isObject(value)) return [name, value];
    const max = longest.get(name) ?? Infinity;
    if (Array.isArray(value) && value.length > max)
      throw new BadRequestException(`${name} must contain no more than ${max} elements`);
    const declared: unknown = Reflect.getMetadata('design:type', type.prototype as object, name);
    if (!PRIMITIVES.includes(declared)) return [name, value];
    if (!Array.isArray(value)) return [name, {}];
    return [name, value.length > MAX_MEMBERS || value.some(isObject) ? [] : value];
  });
  return Object.fromEntries(members) as object;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
