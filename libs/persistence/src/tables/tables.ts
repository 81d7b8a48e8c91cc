import { EntityManager } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Injectable } from '@nestjs/common';
import type { ReadModel } from '@animal-store/kernel';
import { READ_LIMITS, WRITE_LIMITS } from '../batching/batching-limits.js';
import { DatabaseStats } from '../database-stats.js';
import { ReadSqlExecutor, SqlExecutor } from '../sql/sql-executor.js';
import { CurrentTransaction } from '../transactions/current-transaction.js';
import type { DeclaredTable, Identified } from './declare-table.js';
import { TableSql } from './table-sql.js';
import { TableReadModel } from './table-read-model.js';
import { Table } from './table.js';

/** Makes repositories and read models for the tables that modules declare. They are measured by the table's name. */
@Injectable()
export class Tables {
  /** The texts of the statements by their names, under which PostgreSQL stores prepared statements. */
  private readonly texts = new Map<string, string>();

  constructor(
    private readonly entityManager: EntityManager,
    private readonly executor: SqlExecutor,
    private readonly readStatements: ReadSqlExecutor,
    private readonly transaction: CurrentTransaction,
    private readonly stats: DatabaseStats,
  ) {}

  /** The rows as objects, for a repository. @throws Error if the declaration is invalid, or differs from another of the table */
  of<Entity extends Identified, New extends object, Filter extends object>(
    declared: DeclaredTable<Entity, New, Filter>,
  ): Table<Entity, New> {
    const sql = this.sqlOf(declared);
    const table = new Table(sql, this.executor, this.transaction, WRITE_LIMITS);
    const { add, addOnce } = sql.statements;
    this.stats.watch({ [add.name]: table.additions, [addOnce.name]: table.keyedAdditions });
    return table;
  }

  /** The rows as text, for a `ReadModel`. @throws as {@link of} */
  readModelOf<Entity extends Identified, New extends object, Filter extends object>(
    declared: DeclaredTable<Entity, New, Filter>,
  ): ReadModel<Filter> {
    const sql = this.sqlOf(declared);
    const model = new TableReadModel<Filter>(sql, this.readStatements, this.transaction, READ_LIMITS);
    const { find, pages } = sql.statements;
    this.stats.watch({ [find.name]: model.byId, [pages.name]: model.pages });
    return model;
  }

  private sqlOf<Entity extends Identified, New extends object, Filter extends object>(
    declared: DeclaredTable<Entity, New, Filter>,
  ): TableSql<Entity, New, Filter> {
    const { entity } = declared;
    const metadata = (this.entityManager as SqlEntityManager).getMetadata().find(entity as never);
    if (metadata === undefined)
      throw new Error('A declared table needs MikroOrmModule.forFeature([…]) with its mapping');
    const sql = new TableSql(declared, metadata);
    for (const { name, text } of Object.values(sql.statements)) {
      if ((this.texts.get(name) ?? text) !== text)
        throw new Error(`Two statements are called ${name}: a table has one declaration, for every module`);
      this.texts.set(name, text);
    }
    return sql;
  }
}
