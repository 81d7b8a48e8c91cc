import { BadRequestException } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { closest, distance } from 'fastest-levenshtein';
import { joinSentences, MAX_SENTENCES, quoteName } from '../errors/sentences.js';
import { AS_DIGITS, AS_JSON_NUMBER } from './rules.js';

/** The largest edit distance at which an unknown name is taken for a misspelt known name, if half of it is as it should be. */
const MAX_EDITS = 3;

/** The longest name that is compared with the known names: a longer one is not a spelling mistake, and takes time. */
const MAX_COMPARED_LENGTH = 64;

/** How class-validator begins the message of a rule for the elements of a list. */
const EACH = 'each value in ';

/** What a value consists of: the members of a body, or texts of a query. */
export type FieldKind = 'member' | 'query parameter';

/**
 * The exception for what class-validator found: a sentence for each violation, with its path, and for each unknown name. Only the
 * first are made: there may be as many as a body has values.
 *
 * @param data the name of the value, if it is a part of the body or of the query
 */
export function exceptionFor(errors: readonly ValidationError[], noun: FieldKind, data?: string): BadRequestException {
  const sentences = { broken: [] as string[], unknown: [] as string[] };
  let count = 0;
  const add = (found: readonly ValidationError[], parent: string) => {
    for (const error of found) {
      const { property, constraints = {}, children = [], target } = error;
      const path = parent + property;
      for (const [rule, message] of Object.entries(constraints)) {
        if ((count += 1) > MAX_SENTENCES) continue;
        if (rule === 'whitelistValidation')
          sentences.unknown.push(`unknown ${noun} ${quoteName(path)}${suggestion(property, target?.constructor)}`);
        else sentences.broken.push(sentenceOf(message, error, path, noun));
      }
      if (children.length > 0) add(children, `${path}.`);
    }
  };
  add(errors, data === undefined ? '' : `${data}.`);
  return new BadRequestException(joinSentences([...sentences.broken, ...sentences.unknown], count));
}

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
  if (text.startsWith('nested property ') || text.startsWith(`${EACH}nested property `))
    return `${path} must be an object`;
  const each = text.startsWith(`${EACH}${property} `) ? EACH : '';
  const rest = text.slice(each.length);
  return rest.startsWith(`${property} `) ? `${each}${path}${rest.slice(property.length)}` : `${path}: ${text}`;
}

/** The end of the sentence for an unknown name: the known name that was probably meant, or all known names. */
export function suggestion(name: string, type: unknown): string {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type as () => void, '', false, false);
  const known = [...new Set(rules.map(({ propertyName }) => propertyName))];
  const sent = name.toLowerCase();
  const nearest = name.length > MAX_COMPARED_LENGTH || known.length === 0 ? undefined : closest(sent, known);
  if (nearest !== undefined && distance(sent, nearest.toLowerCase()) <= Math.min(MAX_EDITS, name.length / 2))
    return `: did you mean ${nearest}?`;
  return known.length === 0 ? ': none are known' : `: allowed are ${known.join(', ')}`;
}
