import type { ValidationError } from 'class-validator';
import { closest, distance } from 'fastest-levenshtein';
import { excerpt, MAX_REPORTED, RequestError } from '../errors/request.errors.js';
import { AS_DIGITS, AS_JSON_NUMBER } from './field-rules.decorators.js';
import type { RequestClasses } from './request-class.js';

/** The noun for a member in an error message. */
export type Noun = 'member' | 'query parameter' | 'path parameter';

/** The largest edit distance at which an unknown name is taken for a misspelt known name, if half of it is as it should be. */
const MAX_EDITS = 3;

/** The longest name that is compared with the known names: a longer one is not a spelling mistake, and takes time. */
const MAX_COMPARED_LENGTH = 64;

/** All violations of a sent value, each with its path: names and indices separated by dots. */
export class Violations {
  private readonly broken = new Map<string, string[]>();
  private readonly unknown: string[] = [];
  private count = 0;
  private unknownCount = 0;

  /** @param noun the noun for a member */
  constructor(
    private readonly classes: RequestClasses,
    private readonly noun: Noun,
  ) {}

  get isEmpty(): boolean {
    return this.count + this.unknownCount === 0;
  }

  /** @param sentence the complete sentence, including the path */
  add(path: string, sentence: string): void {
    this.count += 1;
    if (this.count > MAX_REPORTED) return;
    const sentences = this.broken.get(path);
    if (sentences === undefined) this.broken.set(path, [sentence]);
    else sentences.push(sentence);
  }

  /** Replaces the earlier violations at this path, which would be wrong. */
  replace(path: string, sentence: string): void {
    this.count -= this.broken.get(path)?.length ?? 0;
    this.broken.delete(path);
    this.add(path, sentence);
  }

  /** @param type the class of the object that has no such member */
  addUnknown(path: string, name: string, type: unknown): void {
    this.unknownCount += 1;
    if (this.unknownCount > MAX_REPORTED) return;
    const fields = this.classes.get(type)?.fields;
    const hint = fields === undefined ? ': this name is not allowed' : suggestion(name, fields);
    this.unknown.push(`unknown ${this.noun} ${JSON.stringify(excerpt(path))}${hint}`);
  }

  /**
   * Adds the violations that class-validator found.
   *
   * @param sent the value from which the instance was made, if it has the same names
   * @param at the path of the instance
   */
  addErrors(errors: readonly ValidationError[], sent: unknown, at: string): void {
    for (const error of errors) this.addError(error, sent, at);
  }

  /** @throws RequestError that lists all violations */
  throw(): never {
    throw RequestError.invalid([...[...this.broken.values()].flat(), ...this.unknown], this.count + this.unknownCount);
  }

  private addError(error: ValidationError, sent: unknown, at: string): void {
    const { property, constraints = {}, children = [], target } = error;
    // class-validator does not report the name if the value's class has no rules.
    if ((property as string | undefined) === undefined) throw new UnvalidatedError(at);
    const path = at === '' ? property : `${at}.${property}`;
    for (const [rule, message] of Object.entries(constraints)) {
      if (rule !== 'whitelistValidation') this.add(path, this.sentence(message, property, at, path));
      // Every instance has a field without a rule, with its default; the sent member may be excluded.
      else if (memberOf(target, property) !== undefined && wasSent(sent, property))
        this.addUnknown(path, property, target?.constructor);
    }
    this.addErrors(children, memberOf(sent, property), path);
  }

  private sentence(message: string, property: string, at: string, path: string): string {
    const text = this.noun === 'member' ? message : message.replace(AS_JSON_NUMBER, AS_DIGITS);
    if (/^(?:each value in )?nested property /.test(text)) return `${path} must be an object`;
    if (at === '') return text;
    if (text.startsWith(`${property} `)) return `${at}.${text}`;
    const each = `each value in ${property} `;
    return text.startsWith(each) ? `each value in ${at}.${text.slice('each value in '.length)}` : `${path}: ${text}`;
  }
}

/** A member has `@ValidateNested()`, but class-transformer has no type for it, or one without rules. */
class UnvalidatedError extends Error {
  constructor(path: string) {
    super(
      `${path} is not validated: its class has no rule. Say which class it is of, with @Type(() => …), and give its members rules`,
    );
  }
}

/** `undefined` if the value is not an object, or has no such own member. */
export function memberOf(sent: unknown, name: string): unknown {
  return typeof sent === 'object' && sent !== null && Object.hasOwn(sent, name)
    ? (sent as Record<string, unknown>)[name]
    : undefined;
}

/** Whether a member was sent. Always true if the sent value has other names than the instance. */
function wasSent(sent: unknown, name: string): boolean {
  return typeof sent !== 'object' || sent === null || Object.hasOwn(sent, name);
}

/** The end of the message for an unknown name: the known name that was probably meant, or all known names. */
function suggestion(name: string, known: readonly string[]): string {
  const nearest = name.length > MAX_COMPARED_LENGTH ? undefined : closest(name.toLowerCase(), known);
  if (
    nearest !== undefined &&
    distance(name.toLowerCase(), nearest.toLowerCase()) <= Math.min(MAX_EDITS, name.length / 2)
  ) {
    return `: did you mean ${nearest}?`;
  }
  return `: allowed are ${known.join(', ')}`;
}
