import { BadRequestException, type ArgumentMetadata } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { closest, distance } from 'fastest-levenshtein';
import { excerpt, fitting, MAX_REPORTED } from '../errors/request.errors.js';
import { AS_DIGITS, AS_JSON_NUMBER } from './field-rules.decorators.js';
import type { RequestClasses } from './request-class.js';

/** The noun for a member in an error message. */
const NOUNS: Readonly<Partial<Record<ArgumentMetadata['type'], string>>> = {
  query: 'query parameter',
  param: 'path parameter',
};

/** The largest edit distance at which an unknown name is taken for a misspelt known name, if half of it is as it should be. */
const MAX_EDITS = 3;

/** The longest name that is compared with the known names: a longer one is not a spelling mistake, and takes time. */
const MAX_COMPARED_LENGTH = 64;

/** All violations of a sent value, each with its path: names and indices separated by dots. */
export class Violations {
  private readonly broken = new Map<string, string[]>();
  private readonly unknown: string[] = [];
  private readonly noun: string;
  private count = 0;
  private unknownCount = 0;

  /**
   * @param type where the value came from
   * @param at the name of the value, if it is a part of the body or of the query
   */
  constructor(
    private readonly classes: RequestClasses,
    type: ArgumentMetadata['type'],
    private readonly at: string,
  ) {
    this.noun = NOUNS[type] ?? 'member';
  }

  get isEmpty(): boolean {
    return this.count + this.unknownCount === 0;
  }

  /**
   * Adds a violation in the place of the others at this path, which would be wrong.
   *
   * @param fault what the member must be, the end of a sentence that begins with its name
   */
  replace(path: string, fault: string): void {
    this.count -= this.broken.get(path)?.length ?? 0;
    this.broken.delete(path);
    this.add(path, `${this.pathOf(path)} ${fault}`);
  }

  /** @param type the class of the value that has no such member */
  addUnknown(path: string, type: unknown): void {
    this.unknownCount += 1;
    if (this.unknownCount > MAX_REPORTED) return;
    const name = path.slice(path.lastIndexOf('.') + 1);
    const fields = this.classes.get(type)?.fields;
    const hint = fields === undefined ? ': this name is not allowed' : suggestion(name, [...fields]);
    this.unknown.push(`unknown ${this.noun} ${JSON.stringify(excerpt(this.pathOf(path)))}${hint}`);
  }

  /**
   * Adds the violations that class-validator found.
   *
   * @param sent the value from which the instance was made
   */
  addErrors(errors: readonly ValidationError[], sent: unknown, parent = ''): void {
    for (const { property, constraints = {}, children = [], target } of errors) {
      // class-validator does not report the name if the value's class has no rules.
      if ((property as string | undefined) === undefined) throw new UnvalidatedError(this.pathOf(parent));
      const path = parent === '' ? property : `${parent}.${property}`;
      const isText = this.broken.has(path);
      for (const [rule, message] of Object.entries(constraints)) {
        if (rule === 'whitelistValidation') {
          // Every instance has a field without a rule, with its default; the sent member may be excluded.
          if (memberOf(target, property) !== undefined && wasSent(sent, property))
            this.addUnknown(path, target?.constructor);
        } else if (!isText) {
          this.add(path, this.sentence(message, property, path));
        }
      }
      this.addErrors(children, memberOf(sent, property), path);
    }
  }

  throwIfAny(): void {
    if (!this.isEmpty) throw this.exception();
  }

  /** Nest's exception, whose message is the list of all violations, or of the first of them. */
  exception(): BadRequestException {
    const all = [...[...this.broken.values()].flat(), ...this.unknown];
    const total = this.count + this.unknownCount;
    const shown = fitting(all);
    const messages = shown.length === total ? [...shown] : withRest(shown.slice(0, -1), total);
    const exception = new BadRequestException(messages);
    // Nest's own is "Bad Request Exception", which tells a log nothing.
    exception.message = messages.join('; ');
    return exception;
  }

  private add(path: string, sentence: string): void {
    this.count += 1;
    if (this.count > MAX_REPORTED) return;
    const sentences = this.broken.get(path);
    if (sentences === undefined) this.broken.set(path, [sentence]);
    else sentences.push(sentence);
  }

  private pathOf(path: string): string {
    if (this.at === '' || path === '') return this.at + path;
    return `${this.at}.${path}`;
  }

  /** A message begins with the name of the member: the sentence begins with its path. */
  private sentence(message: string, property: string, path: string): string {
    const text = this.noun === 'member' ? message : message.replace(AS_JSON_NUMBER, AS_DIGITS);
    const whole = this.pathOf(path);
    if (/^(?:each value in )?nested property /.test(text)) return `${whole} must be an object`;
    if (whole === property) return text;
    if (text.startsWith(`${property} `)) return `${whole}${text.slice(property.length)}`;
    const each = `each value in ${property} `;
    return text.startsWith(each) ? `each value in ${whole} ${text.slice(each.length)}` : `${whole}: ${text}`;
  }
}

/** The sentences and, in the place of one, how many there are besides: together they fit into an Error body. */
function withRest(shown: readonly string[], total: number): string[] {
  return [...shown, `and ${(total - shown.length).toLocaleString('en')} more`];
}

/** A member has `@ValidateNested()`, but class-transformer has no type for it, or one without rules. */
class UnvalidatedError extends Error {
  constructor(path: string) {
    super(
      `${path} is not validated: its class has no rule. Say which class it is of, with @Type(() => …), and give its members rules`,
    );
  }
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

/** `undefined` if the value is not an object, or has no such own member. */
export function memberOf(source: unknown, name: string | number): unknown {
  return typeof source === 'object' && source !== null && Object.hasOwn(source, name)
    ? (source as Record<string, unknown>)[name]
    : undefined;
}
