export interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Response {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Schema {
  readonly [rule: string]: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/**
 * The changes in the current document that break a client of the released one, one line each: the service must take what was
 * allowed, and its responses must keep their promises. New operations, optional parameters, members of responses, header
 * fields and errors are allowed.
 */
export function breakingChanges(released: Document, current: Document): string[] {
  const { paths } = inlined(current, current);
  return Object.entries(inlined(released, released).paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, before]) => {
      const after = paths[path]?.[method];
      const at = `${method} ${path}`;
      return after === undefined ? [`${at} is gone`] : operationChanges(before, after, at);
    }),
  );
}

/** A copy in which each reference and each `allOf` is replaced by what it stands for. */
function inlined<Part>(part: Part, document: object): Part {
  if (Array.isArray(part)) return part.map((item: unknown) => inlined(item, document)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, allOf = [], ...rest } = part as { $ref?: string; allOf?: object[] };
  const names = $ref?.split('/').slice(1) ?? [];
  const target = names.reduce<object>((place, name) => Reflect.get(place, name) as object, document);
  const parts = [...($ref === undefined ? [] : [target]), ...allOf].map((one) => inlined(one, document));
  const members = Object.entries(rest).map(([name, value]) => [name, inlined(value, document)]);
  return Object.assign({}, ...parts, Object.fromEntries(members)) as Part;
}

function operationChanges(before: Operation, after: Operation, at: string): string[] {
  const parameters = byName(after);
  const released = byName(before);
  return [
    ...(['operationId', 'security'] as const)
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => `${at} has another ${name}`),
    ...gone(released, parameters, at),
    ...Object.entries(parameters)
      .filter(([name, { required = false }]) => required && released[name]?.required !== true)
      .map(([name]) => `${at} ${name} must be sent`),
    ...Object.entries(released).flatMap(([name, { schema }]) =>
      schemaChanges(schema, parameters[name]?.schema, `${at} ${name}`, true),
    ),
    ...contentChanges(before.requestBody?.content, after.requestBody?.content, `${at} body`, true),
    ...Object.entries(before.responses)
      .filter(([status]) => Number(status) < 400)
      .flatMap(([status, response]) => responseChanges(response, after.responses[status], `${at} ${status}`)),
  ];
}

function byName({ parameters = [] }: Operation): Record<string, Parameter> {
  return Object.fromEntries(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
}

function responseChanges(before: Response, after: Response | undefined, at: string): string[] {
  if (after === undefined) return [`${at} is gone`];
  return [...gone(before.headers, after.headers, at), ...contentChanges(before.content, after.content, at, false)];
}

function contentChanges(before: Content = {}, after: Content = {}, at: string, isSent: boolean): string[] {
  return [
    ...gone(before, after, at),
    ...Object.entries(before).flatMap(([type, { schema }]) => schemaChanges(schema, after[type]?.schema, at, isSent)),
  ];
}

function gone(before: object = {}, after: object = {}, at: string, separator = ' '): string[] {
  return Object.keys(before).flatMap((name) => (name in after ? [] : [`${at}${separator}${name} is gone`]));
}

const LEAST = ['minimum', 'minLength', 'minItems'];
const MOST = ['maximum', 'maxLength', 'maxItems'];

/** The rules that became stricter for what is sent, or looser for what is answered, and the members that are gone. */
function schemaChanges(before: Schema | undefined, after: Schema | undefined, at: string, isSent: boolean): string[] {
  if (before === undefined || after === undefined) return [];
  const [narrow, wide] = isSent ? [before, after] : [after, before];
  const bound = (schema: Schema, name: string, none: number) => (schema[name] as number | undefined) ?? none;
  const rules = [
    ...['type', 'format', 'pattern'].filter((name) => wide[name] !== undefined && wide[name] !== narrow[name]),
    ...LEAST.filter((name) => bound(narrow, name, -Infinity) < bound(wide, name, -Infinity)),
    ...MOST.filter((name) => bound(narrow, name, Infinity) > bound(wide, name, Infinity)),
    ...(narrow['nullable'] === true && wide['nullable'] !== true ? ['nullable'] : []),
    ...(wide.enum !== undefined && !(narrow.enum ?? [undefined]).every((one) => wide.enum?.includes(one))
      ? ['enum']
      : []),
    ...((wide.required ?? []).some((name) => narrow.required?.includes(name) !== true) ? ['required'] : []),
    ...(isSent && before['default'] !== undefined && before['default'] !== after['default'] ? ['default'] : []),
  ];
  return [
    ...rules.map((rule) => `${at}: ${rule}`),
    ...gone(before.properties, after.properties, at, '.'),
    ...Object.entries(before.properties ?? {}).flatMap(([name, member]) =>
      schemaChanges(member, after.properties?.[name], `${at}.${name}`, isSent),
    ),
    ...schemaChanges(before.items, after.items, `${at}[]`, isSent),
  ];
}
