import { defineEntity, p } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import { DatabaseStats } from '../database-stats.js';
import { SqlExecutor, type Row } from '../sql/sql-executor.js';
import { CurrentTransaction } from '../transactions/current-transaction.js';
import { declareTable } from './declare-table.js';
import { Tables } from './tables.js';

class Note {
  declare readonly id: bigint;
  declare readonly text: string;
}

class Unknown {
  declare readonly id: bigint;
}

const id = p.bigint().primary().autoincrement().generated('by default as identity');
const NoteMapping = defineEntity({ class: Note, tableName: 'notes', properties: { id, text: p.text() } });
const UnknownMapping = defineEntity({ class: Unknown, tableName: 'unknown', properties: { id } });

class NoStatements extends SqlExecutor {
  override run(): Promise<readonly Row[]> {
    return Promise.resolve([]);
  }
}

describe('the tables of an application', () => {
  let tables: Tables;
  let stats: DatabaseStats;

  beforeEach(() => {
    const orm = new MikroORM({ entities: [NoteMapping], dbName: 'none' });
    const statements = new NoStatements();
    stats = new DatabaseStats();
    tables = new Tables(orm.em, statements, statements, new CurrentTransaction(orm.em), stats);
  });

  test('are measured under the names of their statements', () => {
    const notes = declareTable(NoteMapping, { shown: ['id', 'text'] });
    tables.of(notes);
    tables.readModelOf(notes);
    expect([...stats.batchers.keys()].toSorted()).toEqual([
      'add_notes',
      'add_notes_once',
      'find_notes',
      'find_notes_pages',
    ]);
  });

  test('have one declaration each: two would take statements of one name for the same', () => {
    tables.of(declareTable(NoteMapping, { shown: ['id', 'text'] }));
    expect(() => tables.readModelOf(declareTable(NoteMapping, { shown: ['id'] }))).toThrow(
      /^Two statements are called find_notes/,
    );
  });

  test('are mapped', () => {
    expect(() => tables.of(declareTable(UnknownMapping, { shown: ['id'] }))).toThrow(/needs MikroOrmModule.forFeature/);
  });
});
