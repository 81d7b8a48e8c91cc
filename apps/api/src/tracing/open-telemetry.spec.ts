import { statementText } from './open-telemetry.js';

describe('the text of a statement in a span', () => {
  test.each([
    [`select * from keys where hash = 'ab12' and name = 'it''s'`, `select * from keys where hash = ? and name = ?`],
    [`select 'a''', E'\\\\x00', 'b'`, `select ?, E?, ?`],
    [`select id from pets where id > 9223372036854775807 limit 20`, `select id from pets where id > ? limit ?`],
    [
      `select p0.id, c2 from "p1" as p0 where id = any($1::int8[])`,
      `select p0.id, c2 from "p1" as p0 where id = any($1::int8[])`,
    ],
    [`select 1.5`, `select ?`],
    [`select 1`, `select ?`],
    [`begin`, `begin`],
  ])('of %s is %s', (sql, text) => {
    expect(statementText(sql)).toBe(text);
  });
});
