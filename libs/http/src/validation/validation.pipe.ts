import {
  BadRequestException,
  Injectable,
  StandardSchemaValidationPipe,
  ValidationPipe,
  type ArgumentMetadata,
  type Type,
} from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { closest, distance } from 'fastest-levenshtein';
import { MAX_MEMBERS } from '../bodies/body.guard.js';
import { joinSentences, quoteName } from '../errors/sentences.js';
import { AS_DIGITS, AS_JSON_NUMBER, CachedQuery, FROM_STRINGS } from './rules.js';

/** The names of every object's prototype, and `prototype`: Nest removes three of them, class-transformer ignores the others. */
const FORBIDDEN = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

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

/** What a value consists of: the members of a body, or texts of a query. */
type FieldKind = 'member' | 'query parameter';

/**
 * Nest's `ValidationPipe` with `transform`, `whitelist` and `forbidNonWhitelisted`. One `BadRequestException` names every
 * violation with its path, and every name that the class does not have. A parameter with a schema is validated by that.
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  /** For what consists of texts. */
  private readonly texts = new ValidationPipe({ ...OPTIONS, transformOptions: FROM_STRINGS });
  private readonly schemas = new StandardSchemaValidationPipe();
  /** By the frozen objects that the query parser repeats, the instances that were made of them. */
  private readonly queries = new WeakMap<object, object>();

  constructor() {
    super(OPTIONS);
  }

  /** @throws BadRequestException with all violations */
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype, schema } = metadata;
    const known = type === 'query' ? this.queries.get(value as object) : undefined;
    // A value and not a promise: Nest awaits both.
    if (known !== undefined && known.constructor === metatype) return known as never;
    if (schema === undefined && metatype !== undefined && this.toValidate(metadata))
      return this.validated(value, metatype, metadata);
    // The handler may change its query; the one that the query parser repeats is frozen.
    const own = type === 'query' && typeof value === 'object' && Object.isFrozen(value) ? { ...value } : value;
    // As in `@Body({ schema })`.
    return schema === undefined ? super.transform(own, metadata) : this.schemas.transform(own, metadata);
  }

  /** Nest takes `BigInt` for a class with rules. */
  protected override toValidate(metadata: ArgumentMetadata): boolean {
    return metadata.metatype !== (BigInt as unknown) && super.toValidate(metadata);
  }

  private async validated(value: unknown, metatype: Type, metadata: ArgumentMetadata): Promise<object> {
    const { type, data } = metadata;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw noObject(value, data);
    const noun = type === 'body' ? 'member' : 'query parameter';
    refuseNames(value, metatype, noun);
    try {
      const instance = (await (type === 'body'
        ? super.transform(value, metadata)
        : this.texts.transform(value, metadata))) as object;
      const isCached = Reflect.hasOwnMetadata(CachedQuery.KEY, metatype) && Object.isFrozen(value);
      if (isCached) this.queries.set(value, Object.freeze(instance));
      return instance;
    } catch (error) {
      if (!(error instanceof InvalidInstance)) throw error;
      throw new BadRequestException(joinSentences(sentencesOf(error.errors, noun, data)));
    }
  }
}

function noObject(value: unknown, data: string | undefined): BadRequestException {
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
  if (forbidden !== undefined) throw new BadRequestException(unknownName(forbidden, forbidden, type, noun));
}

/**
 * A sentence for each violation, with its path, and after them one for each unknown name.
 *
 * @param data the name of the value, if it is a part of the body or of the query
 */
function* sentencesOf(errors: readonly ValidationError[], noun: FieldKind, data?: string): Generator<string> {
  const unknown: (() => string)[] = [];
  function* broken(found: readonly ValidationError[], parent: string): Generator<string> {
    for (const error of found) {
      const { property, constraints = {}, children = [], target } = error;
      const path = parent + property;
      for (const [rule, message] of Object.entries(constraints)) {
        if (rule === 'whitelistValidation') unknown.push(() => unknownName(path, property, target?.constructor, noun));
        else yield sentenceOf(message, error, path, noun);
      }
      yield* broken(children, `${path}.`);
    }
  }
  yield* broken(errors, data === undefined ? '' : `${data}.`);
  for (const sentence of unknown) yield sentence();
}

/** How class-validator begins the message of a rule for the elements of a list. */
const EACH = 'each value in ';

/** A message begins with the name of the member: the sentence begins with its path. */
function sentenceOf(
  message: string,
  { property, value, target }: ValidationError,
  path: string,
  noun: FieldKind,
): string {
  const isList = target !== undefined && Reflect.getMetadata('design:type', target, property) === Array;
  if (noun !== 'member' && Array.isArray(value) && !isList)
    return `${path} was sent ${value.length} times: send it once`;
  const text = noun === 'member' ? message : message.replace(AS_JSON_NUMBER, AS_DIGITS);
  if (text.startsWith(`${EACH}nested property ${property} `)) return `${path} must be a list of objects`;
  if (text.startsWith('nested property ') || text.startsWith(`${EACH}nested property `))
    return `${path} must be an object`;
  const each = text.startsWith(`${EACH}${property} `) ? EACH : '';
  const rest = text.slice(each.length);
  return rest.startsWith(`${property} `) ? `${each}${path}${rest.slice(property.length)}` : `${path}: ${text}`;
}

/** The largest edit distance at which an unknown name is taken for a misspelt known name, if half of it is as it should be. */
const MAX_EDITS = 3;

/** The sentence for a name that a class does not have: with the known name that was probably meant, or all known names. */
function unknownName(path: string, name: string, type: unknown, noun: FieldKind): string {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type as () => void, '', false, false);
  const known = [...new Set(rules.map(({ propertyName }) => propertyName))];
  const subject = `unknown ${noun} ${quoteName(path)}: `;
  if (known.length === 0) return `${subject}none are known`;
  const sent = name.toLowerCase();
  const nearest = closest(sent, known);
  const isMisspelt = distance(sent, nearest.toLowerCase()) <= Math.min(MAX_EDITS, name.length / 2);
  return subject + (isMisspelt ? `did you mean ${nearest}?` : `allowed are ${known.join(', ')}`);
}
