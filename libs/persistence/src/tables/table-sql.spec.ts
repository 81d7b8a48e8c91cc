import { defineEntity, p, type EntityClass } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import { declareTable } from './declare-table.js';
import { TableSql, type TableMetadata } from './table-sql.js';

class Note {
  declare readonly id: bigint;
  declare readonly text: string;
  declare readonly price: string;
}

const id = p.bigint().primary().autoincrement().generated('by default as identity');

function metadataOf(mapping: { readonly class: unknown }): TableMetadata {
  const orm = new MikroORM({ entities: [mapping as never], dbName: 'none' });
  return orm.getMetadata(mapping.class as EntityClass<object>);
}

describe('the statements about a declared table', () => {
  test('are named after the table', () => {
    const mapping = defineEntity({ class: Note, tableName: 'notes', properties: { id, text: p.text() } });
    const { statements } = new TableSql(declareTable(mapping, { shown: ['id', 'text'] }), metadataOf(mapping));
    const { find, pages, add, addOnce } = statements;
    expect([find, pages, add, addOnce].map(({ name }) => name)).toEqual([
      'find_notes',
      'find_notes_pages',
      'add_notes',
      'add_notes_once',
    ]);
  });

  test('have names that PostgreSQL keeps whole', () => {
    const mapping = defineEntity({ class: Note, tableName: 'n'.repeat(52), properties: { id, text: p.text() } });
    expect(() => new TableSql(declareTable(mapping, { shown: ['id', 'text'] }), metadataOf(mapping))).toThrow(
      /needs a shorter name/,
    );
  });

  test('are told to be impossible for a column of another type', () => {
    const mapping = defineEntity({ class: Note, tableName: 'notes', properties: { id, price: p.double() } });
    expect(() => new TableSql(declareTable(mapping, { shown: ['id', 'price'] }), metadataOf(mapping))).toThrow(
      /^The property price of the table notes \(double precision/,
    );
  });

  test('are told to be impossible with more than four filters', () => {
    const texts = { a: p.text(), b: p.text(), c: p.text(), d: p.text(), e: p.text() };
    class Wide {
      declare readonly id: bigint;
      declare readonly a: string;
      declare readonly b: string;
      declare readonly c: string;
      declare readonly d: string;
      declare readonly e: string;
    }
    const mapping = defineEntity({ class: Wide, tableName: 'wide', properties: { id, ...texts } });
    expect(() => declareTable(mapping, { filters: ['a', 'b', 'c', 'd', 'e'] })).toThrow(/at most 4 filters/);
  });

  test('are told to be impossible without an id for a key', () => {
    const properties = { id: p.bigint(), text: p.text().primary() };
    const mapping = defineEntity({ class: Note, tableName: 'notes', properties });
    expect(() => new TableSql(declareTable(mapping, { shown: ['id', 'text'] }), metadataOf(mapping))).toThrow(
      /its primary key must be id$/,
    );
  });

  test('escape what a value of an enum holds, and nothing where none needs it', () => {
    const render = (items: string[]) => {
      const properties = { id, text: p.enum(items) };
      const mapping = defineEntity({ class: Note, tableName: 'notes', properties });
      return new TableSql(declareTable(mapping, { shown: ['id', 'text'] }), metadataOf(mapping)).statements.find.text;
    };
    expect([render(['sold', 'on hold']), render(['"', 'a'])]).toEqual([
      `select "id", '{"id":' || "id" || ',"text":"' || "text" || '"}' from "notes" where "id" = any($1::bigint[])`,
      `select "id", '{"id":' || "id" || ',"text":' || to_json("text") || '}' from "notes" where "id" = any($1::bigint[])`,
    ]);
  });

  test('give rows that JSON writes by their fields', () => {
    class Plain {
      declare readonly id: bigint;
      declare readonly text: string;
    }
    const mapping = defineEntity({ class: Plain, tableName: 'notes', properties: { id, text: p.text() } });
    const table = new TableSql(declareTable(mapping, { shown: ['id', 'text'] }), metadataOf(mapping));
    expect(stringify(table.entityOf(1n, { text: 'a' }))).toBe('{"id":1,"text":"a"}');
  });

  test('give rows that JSON writes as their class says', () => {
    class Told {
      declare readonly id: bigint;
      declare readonly text: string;

      toJSON(): string {
        return 'told';
      }
    }
    const mapping = defineEntity({ class: Told, tableName: 'notes', properties: { id, text: p.text() } });
    const table = new TableSql(declareTable(mapping, { shown: ['id', 'text'] }), metadataOf(mapping));
    expect(stringify(table.entityOf(1n, { text: 'a' }))).toBe('"told"');
  });
});

function stringify(value: object): string {
  return JSON.stringify(value, (_name, member: unknown) => (typeof member === 'bigint' ? Number(member) : member));
}
