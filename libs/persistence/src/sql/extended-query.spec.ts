import type { Duplex } from 'node:stream';
import { ExtendedQuery } from './extended-query.js';
import type { Parameter, Row } from './sql-executor.js';

/** A connection that notes what is sent, to a server that accepts every statement. */
class Connection {
  readonly sent: unknown[] = [];
  readonly stream = { cork: () => this.sent.push('cork'), uncork: () => this.sent.push('uncork') } as unknown as Duplex;

  parse({ name, text }: { name: string; text: string }): void {
    this.sent.push({ parse: { name, text } });
  }

  close(statement: object): void {
    this.sent.push({ close: statement });
  }

  bind(portal: object): void {
    this.sent.push({ bind: portal });
  }

  execute(): void {
    this.sent.push('execute');
  }

  sync(): void {
    this.sent.push('sync');
  }
}

function sentBy(connection: Connection, name: string, values: readonly Parameter[] = []): unknown[] {
  connection.sent.length = 0;
  new ExtendedQuery(name, 'select 1', values).submit(connection);
  return [...connection.sent];
}

function boundTo(value: Parameter): unknown {
  const bound = sentBy(new Connection(), 'one', [value]).find((message) => Object.hasOwn(message as object, 'bind'));
  return (bound as { bind: { values: readonly unknown[] } }).bind.values[0];
}

describe('an extended query', () => {
  const bind = { bind: { statement: 'one', values: [] } };

  test('is parsed, bound and executed in one write', () => {
    expect(sentBy(new Connection(), 'one')).toEqual([
      'cork',
      { parse: { name: 'one', text: 'select 1' } },
      bind,
      'execute',
      'sync',
      'uncork',
    ]);
  });

  test('is not parsed again on a connection that knows it by its name', () => {
    const connection = new Connection();
    sentBy(connection, 'one');
    expect(sentBy(connection, 'one')).toEqual(['cork', bind, 'execute', 'sync', 'uncork']);
  });

  test('is closed and parsed again after an error, as nobody knows whether PostgreSQL has kept it', () => {
    const connection = new Connection();
    const query = new ExtendedQuery('one', 'select 1', []);
    query.submit(connection);
    query.handleError(new Error('cached plan must not change result type'));
    const again = ['cork', { close: { type: 'S', name: 'one' } }, { parse: { name: 'one', text: 'select 1' } }, bind];
    expect(sentBy(connection, 'one')).toEqual([...again, 'execute', 'sync', 'uncork']);
    expect(sentBy(connection, 'one')).toEqual(['cork', bind, 'execute', 'sync', 'uncork']);
  });

  test('is parsed each time where it has no name', () => {
    const connection = new Connection();
    sentBy(connection, '');
    expect(sentBy(connection, '')).toContainEqual({ parse: { name: '', text: 'select 1' } });
  });

  test.each<[Parameter, unknown]>([
    ['Rex', 'Rex'],
    [7, '7'],
    [true, 'true'],
    [null, null],
    [[], '{}'],
    [['1', '2'], '{"1","2"}'],
    [['say "hi"\\', ''], String.raw`{"say \"hi\"\\",""}`],
    [['null', null], '{"null",NULL}'],
    [[1, -2], '{1,-2}'],
    [[true, false], '{true,false}'],
  ])('binds %j as %j', (value, text) => {
    expect(boundTo(value)).toBe(text);
  });

  test('hands over its rows once the server is ready for the next', () => {
    const query = new ExtendedQuery('one', 'select 1', []);
    const outcomes: (readonly Row[] | undefined)[] = [];
    query.callback = (_error, rows) => outcomes.push(rows);
    query.handleDataRow({ fields: ['1'] });
    query.handleDataRow({ fields: ['2'] });
    query.handleCommandComplete();
    expect(outcomes).toEqual([]);
    query.handleReadyForQuery();
    expect(outcomes).toEqual([[['1'], ['2']]]);
  });

  test('hands over an error instead', () => {
    const query = new ExtendedQuery('one', 'select 1', []);
    const errors: (Error | null)[] = [];
    query.callback = (error) => errors.push(error);
    const refused = new Error('deadlock detected');
    query.handleError(refused);
    expect(errors).toEqual([refused]);
  });
});
