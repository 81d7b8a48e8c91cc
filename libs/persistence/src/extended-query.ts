import type { Connection, Submittable } from 'pg';
import type { Parameter, Row, Value } from './sql-executor.js';

/** What is known of the statements that a connection has prepared, by name. */
const STATEMENTS = Symbol('prepared statements');

/** After an error nobody knows whether PostgreSQL has kept the statement. */
type Statements = Map<string, 'prepared' | 'in doubt'>;

/** A connection as `pg` hands it to a query. */
type QueryConnection = Pick<Connection, 'parse' | 'bind' | 'execute' | 'close' | 'sync' | 'stream'> & {
  [STATEMENTS]?: Statements | undefined;
};

/**
 * A query that `pg` lets others submit, as its cursors are: PostgreSQL's extended query protocol and no more (manual,
 * section 54.2.3). Columns come as text. `pg`'s own query also asks what the columns are, each time, looks up how to parse
 * them, and collects rows for callers of every kind: a fifth of what a statement costs on this side, and a seventh of all
 * pages and gets (docs/performance.md).
 */
export class ExtendedQuery implements Submittable {
  /** Set by `pg`. */
  callback: ((error: Error | null, rows?: readonly Row[]) => void) | undefined;
  private readonly rows: Row[] = [];
  private statements: Statements | undefined;

  /**
   * @param name under which PostgreSQL keeps the statement on each connection; none where it is parsed each time
   * @param begins whether it begins a transaction, of which the statement is the first, in the same round trip
   */
  constructor(
    private readonly name: string,
    private readonly text: string,
    private readonly values: readonly Parameter[],
    private readonly begins = false,
  ) {}

  submit(connection: QueryConnection): void {
    this.statements = connection[STATEMENTS] ??= new Map();
    connection.stream.cork();
    if (this.begins) {
      connection.parse({ name: '', text: 'begin', types: [] }, true);
      this.execute(connection, '', []);
    }
    this.prepare(connection, this.statements);
    this.execute(connection, this.name, this.values.map(toText));
    connection.sync();
    connection.stream.uncork();
  }

  private prepare(connection: QueryConnection, statements: Statements): void {
    const { name, text } = this;
    const state = name === '' ? undefined : statements.get(name);
    if (state === 'prepared') return;
    // To close what is not there is no error.
    if (state === 'in doubt') connection.close({ type: 'S', name }, true);
    connection.parse({ name, text, types: [] }, true);
    if (name !== '') statements.set(name, 'prepared');
  }

  private execute(connection: QueryConnection, statement: string, values: (string | null)[]): void {
    connection.bind({ statement, values }, true);
    connection.execute({}, true);
  }

  handleDataRow({ fields }: { readonly fields: Row }): void {
    this.rows.push(fields);
  }

  /** `pg` tells how many rows a command has touched: no statement asks for it. */
  handleCommandComplete(): void {
    // Nothing to do.
  }

  handleError(error: Error): void {
    if (this.name !== '') this.statements?.set(this.name, 'in doubt');
    this.callback?.(error);
  }

  handleReadyForQuery(): void {
    this.callback?.(null, this.rows);
  }
}

/** A value in PostgreSQL's own notation, an array as `{1,NULL,"a \"b\""}` (manual, section 8.15.2). */
function toText(parameter: Parameter): string | null {
  if (parameter === null) return null;
  if (typeof parameter !== 'object') return String(parameter);
  let elements = '';
  for (const value of parameter) elements += `${elements === '' ? '' : ','}${toElement(value)}`;
  return `{${elements}}`;
}

function toElement(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'string') return String(value);
  // Most texts have neither, and to look is faster than to replace nothing.
  const isPlain = !value.includes('"') && !value.includes('\\');
  return isPlain ? `"${value}"` : `"${value.replace(/["\\]/g, '\\$&')}"`;
}
