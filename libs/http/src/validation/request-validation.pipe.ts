import {
  BadRequestException,
  HttpException,
  Injectable,
  StandardSchemaValidationPipe,
  ValidationPipe,
  type ArgumentMetadata,
} from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import { forbiddenNames, hasRoundedNumber, inspect } from './instance-checks.js';
import { RequestClasses, type RequestClass } from './request-class.js';
import { MUST_BE_SAFE, readParameter, readTexts } from './texts.js';
import { Violations } from './violations.js';

type Members = Record<string, unknown>;

/** What class-validator found. It never leaves the pipe, which makes the sentences of it. */
class InvalidInstance extends Error {
  constructor(readonly errors: readonly ValidationError[]) {
    super();
  }
}

/**
 * Nest's `ValidationPipe` with `transform`, `whitelist` and `forbidNonWhitelisted`. One `BadRequestException` names every
 * violation with its path, and every name that the class does not have. It also refuses what class-transformer lets pass:
 * see {@link inspect} and {@link readTexts}.
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  private readonly classes = new RequestClasses();
  private readonly schemas = new StandardSchemaValidationPipe();
  /** By the frozen objects that the query parser repeats, what was made of them. */
  private readonly queries = new WeakMap<object, object>();

  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      // The class of the object that has an unknown member is known only with the object.
      validationError: { target: true, value: true },
      exceptionFactory: (errors) => new InvalidInstance(errors),
    });
  }

  /**
   * @returns a promise only if class-validator must be asked: for nested objects, asynchronous rules, and for a report
   * @throws BadRequestException immediately or as a rejection, with all violations
   */
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    return this.read(value, metadata) as Promise<unknown>;
  }

  private read(value: unknown, metadata: ArgumentMetadata): unknown {
    const { metatype, type, data: at = '' } = metadata;
    if (type === 'custom') return value;
    if (metadata.schema !== undefined) return this.schemas.transform(value, metadata);
    const known = this.classes.get(metatype);
    if (known === undefined) {
      if (this.toValidate(metadata) && (metatype as unknown) !== BigInt) throw new UnruledClassError(metadata);
      return readUndeclared(value, metadata);
    }
    assertObject(value, at);
    const remembered = known.isCached ? (this.queries.get(value) as Members | undefined) : undefined;
    // Each handler gets an instance of its own.
    if (remembered instanceof known.type) return Object.assign(new known.type(), remembered);
    const violations = new Violations(this.classes, type, at);
    const sent =
      type === 'body'
        ? value
        : readTexts(value, known, (name, fault) => {
            violations.replace(name, fault);
          });
    const instance = violations.isEmpty ? validAtOnce(sent, known) : undefined;
    if (instance === undefined) return this.validated(sent, known, metadata, violations);
    dropStrayDefaults(instance, sent, known);
    if (known.isCached && Object.isFrozen(value)) this.queries.set(value, Object.assign(new known.type(), instance));
    return instance;
  }

  /** The long way: class-validator's report, and what it does not say. */
  private async validated(
    sent: Members,
    known: RequestClass,
    metadata: ArgumentMetadata,
    violations: Violations,
  ): Promise<unknown> {
    const { type } = known;
    // Nest and class-transformer drop these names silently.
    for (const path of forbiddenNames(sent)) violations.addUnknown(path, path.includes('.') ? undefined : type);
    let instance: unknown;
    try {
      instance = await super.transform(sent, metadata);
    } catch (error) {
      if (!(error instanceof InvalidInstance)) throw unreadable(error, sent, type, violations);
      violations.addErrors(error.errors, sent);
      if (metadata.type === 'query') tellRepeated(error.errors, sent, known, violations);
      instance = error.errors[0]?.target;
    }
    inspect(instance, sent, this.classes, violations);
    violations.throwIfAny();
    dropStrayDefaults(instance as object, sent, known);
    return instance;
  }
}

/** A parameter that is refused, and was sent more than once, is told as repeated. */
function tellRepeated(
  errors: readonly ValidationError[],
  sent: Members,
  { texts }: RequestClass,
  violations: Violations,
): void {
  for (const { property } of errors) {
    const values = sent[property];
    if (!Array.isArray(values) || ['list', 'int64'].includes(texts.get(property) ?? '')) continue;
    violations.replace(property, `was sent ${values.length} times: send it once`);
  }
}

/** What was not sent stays absent in an instance of a `PartialType`. */
function dropStrayDefaults(instance: object, sent: Members, { strayDefaults = {} }: RequestClass): void {
  for (const [name, value] of Object.entries(strayDefaults))
    if (!Object.hasOwn(sent, name) && (instance as Members)[name] === value) Reflect.deleteProperty(instance, name);
}

/**
 * The error to throw where class-transformer failed: for a value of a type that a decorator cannot read, such as a number
 * for `value.trim()`.
 */
function unreadable(error: unknown, sent: Members, type: RequestClass['type'], violations: Violations): unknown {
  // An error with a response of its own was thrown deliberately.
  if (error instanceof HttpException || (error instanceof Error && 'kind' in error)) return error;
  for (const [name, value] of Object.entries(sent)) {
    try {
      plainToInstance(type, { [name]: value });
    } catch {
      violations.replace(name, 'cannot be read: it is of another type');
    }
  }
  // The class fails without any value too.
  return violations.isEmpty ? error : violations.exception();
}

/** The instance of a class whose rules are plain calls, if nothing at all is wrong with it. */
function validAtOnce(sent: Members, known: RequestClass): object | undefined {
  const { type, fields, check } = known;
  if (check === undefined) return undefined;
  for (const name of Object.keys(sent)) if (!fields.has(name)) return undefined;
  try {
    const instance = plainToInstance(type, sent);
    return check.isSatisfiedBy(instance) && !hasRoundedNumber(instance) ? instance : undefined;
  } catch {
    return undefined;
  }
}

function assertObject(value: unknown, at: string): asserts value is Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  if (at !== '')
    throw new BadRequestException([`${at} ${value === undefined ? 'is required and ' : ''}must be an object`]);
  throw new BadRequestException([
    value === undefined ? 'A body is required: send a JSON object' : 'The body must be a JSON object',
  ]);
}

/** A value without a class: it stays what it is, except for single parameters of the type `number` or `boolean`. */
function readUndeclared(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
  if (type !== 'query' && type !== 'param') return value;
  // The handler may change its query; the one that the query parser repeats is frozen.
  if (typeof value === 'object' && value !== null && Object.isFrozen(value)) return { ...value };
  if (data === undefined || typeof value !== 'string') return value;
  const read = readParameter(value, metatype);
  if (typeof read === 'number' && Math.abs(read) > Number.MAX_SAFE_INTEGER)
    throw new BadRequestException([`${data} ${MUST_BE_SAFE}`]);
  return read;
}

/** A parameter of a handler has a class of which nothing would be validated. */
class UnruledClassError extends Error {
  constructor({ metatype, type, data }: ArgumentMetadata) {
    const parameter = `@${type.charAt(0).toUpperCase()}${type.slice(1)}(${data === undefined ? '' : `'${data}'`})`;
    super(
      `${metatype?.name ?? 'The class'} of ${parameter} has no rule, and so nothing of it would be validated. Give its ` +
        'members decorators of class-validator, such as @IsString(), or @Allow() where anything will do',
    );
  }
}
