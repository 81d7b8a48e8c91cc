import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { CACHED_QUERY, IS_INT64 } from './field-rules.decorators.js';
import { RuleCheck, type RuleMetadata } from './rule-check.js';

/** What a member that comes as a text becomes, as its type declares it. */
export type TextKind = 'int64' | 'number' | 'boolean' | 'list';

/** What the decorators of class-validator and of this library say about a class. */
export interface RequestClass {
  readonly type: Type<object>;
  /** The names of the fields with a rule. No other name may be sent. */
  readonly fields: ReadonlySet<string>;
  /** The fields that hold an instance, or a list of instances. */
  readonly nested: ReadonlyMap<string, 'one' | 'many'>;
  /** The fields of a query or a path that are more than texts. */
  readonly texts: ReadonlyMap<string, TextKind>;
  /** A fast check of the rules; `undefined` if only class-validator can check them. */
  readonly check: RuleCheck | undefined;
  /** The same valid query always means the same. */
  readonly isCached: boolean;
  /** The default values that a member which was not sent must not get; `undefined` if defaults are meant. */
  readonly strayDefaults: Readonly<Record<string, unknown>> | undefined;
}

/** The request classes of an application. Each is analysed once. */
export class RequestClasses {
  private readonly known = new Map<unknown, RequestClass | undefined>();

  /** `undefined` for a type without rules, such as `String` or an interface. */
  get(type: unknown): RequestClass | undefined {
    let known = this.known.get(type);
    if (known === undefined && !this.known.has(type)) {
      known = typeof type === 'function' ? describe(type as Type<object>) : undefined;
      this.known.set(type, known);
    }
    return known;
  }
}

function describe(type: Type<object>): RequestClass | undefined {
  const rules: readonly RuleMetadata[] = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  if (rules.length === 0) return undefined;
  const fields = new Set(rules.map(({ propertyName }) => propertyName));
  const nested = rules.filter((rule) => rule.type === ValidationTypes.NESTED_VALIDATION);
  return {
    type,
    fields,
    nested: new Map(nested.map(({ propertyName, each }) => [propertyName, each ? 'many' : 'one'])),
    texts: new Map(
      [...fields].flatMap((field) => {
        const isInt64 = rules.some(({ propertyName, name }) => propertyName === field && name === IS_INT64);
        const kind = isInt64 ? 'int64' : textKindOf(type, field);
        return kind === undefined ? [] : [[field, kind] as const];
      }),
    ),
    check: nested.length > 0 ? undefined : RuleCheck.of(type, rules),
    isCached: Reflect.getOwnMetadata(CACHED_QUERY, type) === true,
    strayDefaults: isPartial(type) ? { ...new type() } : undefined,
  };
}

/**
 * Whether a class comes from `PartialType`. It copies the default values of its class, so a `PATCH` that leaves a member out
 * would store the default. Nest marks such classes by their name alone.
 */
function isPartial(type: Type<object>): boolean {
  const base = Object.getPrototypeOf(type) as Type<object>;
  const isMapped = base === Function.prototype && String(type).includes('inheritPropertyInitializers');
  return isMapped ? type.name.startsWith('Partial') : base !== Function.prototype && isPartial(base);
}

/** A text for each declared type, and what `@Type` makes of it at most. A `@Transform` makes something else. */
const PROBES = new Map<unknown, readonly [kind: TextKind, probe: string, byType: unknown]>([
  [Number, ['number', '0x10', 16]],
  [Boolean, ['boolean', 'false', true]],
  [Array, ['list', 'x', 'x']],
]);

/** `undefined` for a text, and for a member whose own `@Transform` reads the text. */
function textKindOf(type: Type<object>, field: string): TextKind | undefined {
  const declared: unknown = Reflect.getMetadata('design:type', type.prototype as object, field);
  const [kind, probe, byType] = PROBES.get(declared) ?? [];
  if (kind === undefined) return undefined;
  try {
    const made = (plainToInstance(type, { [field]: probe }) as Record<string, unknown>)[field];
    return made === probe || made === byType ? kind : undefined;
  } catch {
    return undefined;
  }
}
