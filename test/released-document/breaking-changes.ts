import {
  METHODS,
  resolve,
  type Content,
  type Document,
  type Operation,
  type Parameter,
  type Response,
} from './document.js';
import { answerChanges, requestChanges, type SchemaOf } from './schema-changes.js';

interface Versions<Thing> {
  readonly released: Thing;
  readonly current: Thing;
}

/**
 * The changes in the current document that break a client of the released document, one line each. The service must not refuse
 * a request that was allowed, and a response must keep its promises. Allowed changes are new operations, new optional parameters
 * and members, new members of responses, new header fields, and new statuses and codes of errors.
 */
export function breakingChanges(released: Document, current: Document): string[] {
  const now = operations(current);
  return [...operations(released)].flatMap(([name, before]) => {
    const after = now.get(name);
    return after === undefined
      ? [`${name} is gone`]
      : new Comparison({ released, current }, name).operation(before, after);
  });
}

/** The operations by method and address. The names of the path parameters do not matter. */
function operations(document: Document): Map<string, Operation> {
  const found = new Map<string, Operation>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      found.set(`${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}')}`, { ...operation, parameters });
    }
  }
  return found;
}

class Comparison {
  constructor(
    private readonly documents: Versions<Document>,
    private readonly name: string,
  ) {}

  operation(before: Operation, after: Operation): string[] {
    const changes: string[] = [];
    if (before.operationId !== after.operationId) changes.push(`is named ${after.operationId ?? 'nothing'} now`);
    if (JSON.stringify(before.security) !== JSON.stringify(after.security)) changes.push('asks for another key');
    return [
      ...changes.map((change) => `${this.name} ${change}`),
      ...this.parameters(before, after),
      ...this.requestBody(before, after),
      ...this.answers(before, after),
    ];
  }

  private parameters(before: Operation, after: Operation): string[] {
    const now = this.parametersOf(this.documents.current, after);
    const then = this.parametersOf(this.documents.released, before);
    return [
      ...[...then].flatMap(([key, released]) => {
        const current = now.get(key);
        const at = `${this.name} ${key}`;
        if (current === undefined) return [`${at} is gone`];
        const required = current.required === true && released.required !== true ? [`${at} is required now`] : [];
        return [...required, ...requestChanges(...this.schemas(released, current), at)];
      }),
      ...[...now]
        .filter(([key, { required }]) => required === true && !then.has(key))
        .map(([key]) => `${this.name} ${key} is new, and required`),
    ];
  }

  /** Path parameters are identified by their order, because a caller fills them in by position. */
  private parametersOf(document: Document, { parameters = [] }: Operation): Map<string, Parameter> {
    const resolved = parameters.map((parameter) => resolve<Parameter>(document, parameter));
    const inPath = resolved.filter((parameter) => parameter.in === 'path');
    return new Map(
      resolved.map((parameter) => [
        parameter.in === 'path' ? `path ${inPath.indexOf(parameter) + 1}` : `${parameter.in} ${parameter.name}`,
        parameter,
      ]),
    );
  }

  private requestBody(before: Operation, after: Operation): string[] {
    const at = `${this.name} body`;
    const current = after.requestBody && resolve(this.documents.current, after.requestBody);
    const released = before.requestBody && resolve(this.documents.released, before.requestBody);
    if (current?.required === true && released?.required !== true) return [`${at} is required now`];
    if (released === undefined) return [];
    if (current === undefined) return [`${at} is gone`];
    return this.contents(released.content, current.content, at, requestChanges);
  }

  private answers(before: Operation, after: Operation): string[] {
    return Object.entries(before.responses).flatMap(([status, answer]) => {
      const at = `${this.name} ${status}`;
      const isError = Number(status) >= 400;
      const now = after.responses[status];
      // A removed error does not break a client.
      if (now === undefined) return isError ? [] : [`${at} is gone`];
      const released = resolve<Response>(this.documents.released, answer);
      const current = resolve<Response>(this.documents.current, now);
      return [
        ...this.headers(released, current, at),
        ...this.contents(released.content, current.content, at, (then, later, place) =>
          answerChanges(then, later, place, isError),
        ),
      ];
    });
  }

  private headers(before: Response, after: Response, at: string): string[] {
    const now = new Map(Object.entries(after.headers ?? {}).map(([name, header]) => [name.toLowerCase(), header]));
    return Object.entries(before.headers ?? {}).flatMap(([name, header]) => {
      const place = `${at} ${name}`;
      const found = now.get(name.toLowerCase());
      if (found === undefined) return [`${place} is gone`];
      const released = resolve(this.documents.released, header);
      const current = resolve(this.documents.current, found);
      const optional = released.required === true && current.required !== true ? [`${place} may be missing`] : [];
      return [...optional, ...answerChanges(...this.schemas(released, current), place, false)];
    });
  }

  private contents(
    before: Content | undefined,
    after: Content | undefined,
    at: string,
    compare: (released: SchemaOf, current: SchemaOf, at: string) => string[],
  ): string[] {
    return Object.entries(before ?? {}).flatMap(([type, released]) => {
      const current = after?.[type];
      return current === undefined ? [`${at} ${type} is gone`] : compare(...this.schemas(released, current), at);
    });
  }

  private schemas(
    { schema: released }: { readonly schema?: SchemaOf['schema'] },
    { schema: current }: { readonly schema?: SchemaOf['schema'] },
  ): [SchemaOf, SchemaOf] {
    return [
      { document: this.documents.released, schema: released },
      { document: this.documents.current, schema: current },
    ];
  }
}
