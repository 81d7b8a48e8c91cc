import type { Parameter, Row, Value } from '../statements.js';

/** What a connection of `pg` does not have any more, or not as it was. Nothing was sent. */
export class MissingPartError extends Error {
  constructor(part: string) {
    super(`the ${part} of a connection of pg is not what it was`);
  }
}

/** A connection as `pg` hands it to a query: what it sends, and which statements the server knows by name. */
interface QueryConnection {
  readonly stream: { cork: () => void; uncork: () => void };
  readonly parsedStatements: Readonly<Record<string, string>>;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(portal: { readonly statement: string; readonly values: readonly (string | null)[] }): void;
  execute(): void;
  sync(): void;
}

/**
 * A query that `pg` lets others submit, as its cursors are (`Submittable`): PostgreSQL's extended query protocol and no
 * more (manual, section 54.2.3). Columns come as text. `pg`'s own query also asks what the columns are, each time, looks up
 * how to parse them, and collects rows for callers of every kind: a fifth of what a statement costs on this side, and a
 * seventh of all pages and gets (docs/performance.md).
 */
export class ExtendedQuery {
  /** Set by `pg`. */
  callback: ((error: Error | null, rows?: readonly Row[]) => void) | undefined;
  private readonly rows: Row[] = [];

  /**
   * @param statementName under which PostgreSQL keeps the statement on each connection; none where it is parsed each time
   * @param begins whether it begins a transaction, of which the statement is the first, in the same round trip
   */
  constructor(
    private readonly statementName: string,
    readonly text: string,
    readonly values: readonly Parameter[],
    private begins = false,
  ) {}

  /** Under which `pg` notes what the server has parsed: nothing while that is `begin`. */
  get name(): string {
    return this.begins ? '' : this.statementName;
  }

  /** @returns an error where the connection is not what it was: `pg` hands it to {@link handleError}, and goes on */
  submit(connection: QueryConnection): MissingPartError | undefined {
    const missing = missingPart(connection);
    if (missing !== undefined) return new MissingPartError(missing);
    const { statementName: name, text } = this;
    const values = this.values.map(toText);
    connection.stream.cork();
    if (this.begins) {
      connection.parse({ name: '', text: 'begin' });
      connection.bind({ statement: '', values: [] });
      connection.execute();
    }
    // Noted by `pg` once PostgreSQL has accepted the statement; never without a name.
    if (connection.parsedStatements[name] === undefined) connection.parse({ name, text });
    connection.bind({ statement: name, values });
    connection.execute();
    connection.sync();
    connection.stream.uncork();
    return undefined;
  }

  handleDataRow({ fields }: { readonly fields: Row }): void {
    this.rows.push(fields);
  }

  /** How many rows a command has touched is for nobody. */
  handleCommandComplete(): void {
    this.begins = false;
  }

  handleError(error: Error): void {
    this.callback?.(error);
  }

  handleReadyForQuery(): void {
    this.callback?.(null, this.rows);
  }
}

const METHODS = ['parse', 'bind', 'execute', 'sync'] as const;

function missingPart(connection: Partial<QueryConnection>): string | undefined {
  const { stream, parsedStatements } = connection;
  if (typeof stream?.cork !== 'function' || typeof stream.uncork !== 'function') return 'stream';
  if (typeof parsedStatements !== 'object') return 'parsedStatements';
  return METHODS.find((name) => typeof connection[name] !== 'function');
}

/** A value in PostgreSQL's own notation, an array as `{1,NULL,"a \"b\""}` (manual, section 8.15.2). */
function toText(parameter: Parameter): string | null {
  if (parameter === null) return null;
  return typeof parameter === 'object' ? `{${parameter.map(toElement).join(',')}}` : String(parameter);
}

function toElement(value: Value): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);
}
