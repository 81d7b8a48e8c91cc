import type { AlterTableCmd, AlterTableStmt, ColumnDef, Constraint, Node, RangeVar } from 'libpg-query';

/** What a migration must not do while the previous version serves. An exemption names one of these rules. */
export type Rule =
  | 'bulk-change'
  | 'column-type'
  | 'constraint'
  | 'drop'
  | 'index'
  | 'not-null'
  | 'nullable'
  | 'rename'
  | 'rewrite'
  | 'transaction'
  | 'unknown'
  | 'validation';

/** Why a rule refuses a statement, and how to achieve the same without breaking the rule. */
export const RULES: Readonly<Record<Rule, string>> = {
  'bulk-change':
    'It locks every row that it changes until it has changed the last one. Change rows in pieces, in a program of its own',
  'column-type':
    'It writes the whole table anew while nobody can read it, and the version before reads the former type. Add a column',
  constraint:
    'It reads the whole table while nobody can write, or refuses what the version before writes. Add a check or a foreign ' +
    'key as "not valid", and validate it in the next migration',
  drop: 'The version before still uses it. Stop using it in one release, drop it in the next one',
  index:
    'It keeps everybody from writing until the index is made, or meets an invalid one that a broken run has left. "drop index ' +
    'concurrently if exists" and then "create index concurrently", in a migration whose isTransactional() returns false',
  'not-null': 'The version before leaves it out. Let the column be null, or give it a default',
  nullable: 'The version before may read null where there was none. Let the column be as it is for one release',
  rename:
    'The version before knows the former name alone. Add the new one beside it, drop the former in the next release',
  rewrite:
    'It writes the whole table anew while nobody can read it, as the default differs from row to row. Add the column ' +
    'without it, set the default in a second statement, fill the rows in pieces',
  transaction:
    'PostgreSQL does nothing "concurrently" in a transaction. Leave it alone in its addSql, in a migration whose ' +
    'isTransactional() returns false',
  unknown: 'No rule knows it, so none says that the version before can live with it',
  validation:
    'It reads the whole table under the lock that this migration took on it before. Validate in a migration of its own',
};

/** How a migration is run, and on which tables. */
export interface Circumstances {
  /** The tables that this migration has created: the previous version does not know them. A statement adds its own. */
  readonly newTables: Set<string>;
  /** The indexes that this migration makes. */
  readonly madeIndexes: ReadonlySet<string>;
  /** Those of them that it has dropped before, if they existed. Those that a statement drops are added. */
  readonly droppedIndexes: Set<string>;
  /** The tables on which this migration already holds a lock that blocks writes of other sessions. */
  readonly lockedTables: Set<string>;
  /** Whether the migration runs in a transaction, or the statement is in one text with other statements. */
  readonly inTransaction: boolean;
}

/** Statements that hold no lock for long, and do not change what the previous version uses. */
const HARMLESS: ReadonlySet<string> = new Set([
  'CommentStmt',
  'CompositeTypeStmt',
  'CreateDomainStmt',
  'CreateEnumStmt',
  'CreateExtensionStmt',
  'CreateSchemaStmt',
  'CreateSeqStmt',
  'CreateTrigStmt',
  'VariableSetStmt',
]);

/** Changes of a table that only change its description, and have no effect on clients. */
const HARMLESS_CHANGES: ReadonlySet<string> = new Set([
  'AT_ResetOptions',
  'AT_ResetRelOptions',
  'AT_SetOptions',
  'AT_SetRelOptions',
  'AT_SetStatistics',
]);

/** The rule that a change of a table breaks, by the kind of the change, where one rule is enough. */
const BROKEN_BY_CHANGE: Readonly<Record<string, Rule>> = {
  AT_AlterColumnType: 'column-type',
  AT_DropColumn: 'drop',
  AT_DropConstraint: 'drop',
  AT_DropExpression: 'drop',
  AT_DropIdentity: 'drop',
  AT_DropNotNull: 'nullable',
  AT_SetNotNull: 'not-null',
};

/** The functions that return the time at which the column is added: one value for all rows. */
const STABLE_FUNCTIONS: ReadonlySet<string> = new Set(['now', 'statement_timestamp', 'transaction_timestamp']);

const SERIAL_TYPES: ReadonlySet<string> = new Set(
  ['', 'big', 'small'].map((size) => `${size}serial`).concat('serial2', 'serial4', 'serial8'),
);

/** The rules that a statement breaks, each listed once. */
export function brokenRules(statement: Node, circumstances: Circumstances): Rule[] {
  return Object.keys(statement).every((kind) => HARMLESS.has(kind))
    ? []
    : [...new Set(brokenBy(statement, circumstances))];
}

function brokenBy(statement: Node, circumstances: Circumstances): Rule[] {
  const { newTables, madeIndexes, droppedIndexes, inTransaction } = circumstances;
  if ('AlterTableStmt' in statement) return brokenByAlterTable(statement.AlterTableStmt, circumstances);
  if ('CreateStmt' in statement) {
    const { relation, if_not_exists, inhRelations = [] } = statement.CreateStmt;
    // A table that already exists is known to the previous version.
    if (if_not_exists !== true) newTables.add(nameOf(relation));
    return inhRelations.length === 0 ? [] : ['unknown'];
  }
  if ('IndexStmt' in statement) {
    const { relation, concurrent, unique, idxname = '' } = statement.IndexStmt;
    const isNew = newTables.has(nameOf(relation));
    return [
      ...when(unique === true && !isNew, 'constraint'),
      ...when((concurrent !== true || !droppedIndexes.has(idxname)) && !isNew, 'index'),
      ...when(concurrent === true && inTransaction, 'transaction'),
    ];
  }
  if ('DropStmt' in statement) {
    const { objects = [], removeType, concurrent, missing_ok } = statement.DropStmt;
    const names = objects.map(listedName);
    const isMadeAgain = removeType === 'OBJECT_INDEX' && names.every((name) => madeIndexes.has(name));
    if (isMadeAgain && concurrent === true && missing_ok === true) {
      for (const name of names) droppedIndexes.add(name);
      return when(inTransaction, 'transaction');
    }
    const isOfItsOwn = removeType === 'OBJECT_TABLE' && names.every((name) => newTables.has(name));
    return when(!isOfItsOwn, 'drop');
  }
  if ('InsertStmt' in statement) {
    const { relation, selectStmt } = statement.InsertStmt;
    const isListed = selectStmt !== undefined && 'SelectStmt' in selectStmt && selectStmt.SelectStmt.valuesLists;
    return isListed ? [] : onExisting(relation, newTables, 'bulk-change');
  }
  if ('RenameStmt' in statement) return onExisting(statement.RenameStmt.relation, newTables, 'rename');
  if ('UpdateStmt' in statement) return onExisting(statement.UpdateStmt.relation, newTables, 'bulk-change');
  if ('DeleteStmt' in statement) return onExisting(statement.DeleteStmt.relation, newTables, 'bulk-change');
  if ('GrantStmt' in statement) return when(statement.GrantStmt.is_grant !== true, 'drop');
  if ('ViewStmt' in statement) return when(statement.ViewStmt.replace === true, 'unknown');
  if ('CreateFunctionStmt' in statement) return when(statement.CreateFunctionStmt.replace === true, 'unknown');
  return ['TruncateStmt' in statement ? 'drop' : 'unknown'];
}

function brokenByAlterTable({ relation, cmds = [], objtype }: AlterTableStmt, circumstances: Circumstances): Rule[] {
  const { newTables, lockedTables, inTransaction } = circumstances;
  const table = nameOf(relation);
  if (newTables.has(table)) return [];
  if (objtype !== 'OBJECT_TABLE') return ['unknown'];
  return cmds.flatMap((node) => {
    const change = (node as { AlterTableCmd: AlterTableCmd }).AlterTableCmd;
    if (change.subtype === 'AT_ValidateConstraint') return when(lockedTables.has(table), 'validation');
    if (inTransaction) lockedTables.add(table);
    return brokenByChange(change);
  });
}

function brokenByChange({ subtype = 'AT_AddColumn', def }: AlterTableCmd): Rule[] {
  const rule = BROKEN_BY_CHANGE[subtype];
  if (rule !== undefined) return [rule];
  if (HARMLESS_CHANGES.has(subtype)) return [];
  // Without an expression, the change drops the default.
  if (subtype === 'AT_ColumnDefault') return when(def === undefined, 'drop');
  if (def !== undefined && 'ColumnDef' in def && subtype === 'AT_AddColumn') return brokenByColumn(def.ColumnDef);
  if (def !== undefined && 'Constraint' in def && subtype === 'AT_AddConstraint') {
    const { contype, skip_validation } = def.Constraint;
    if (contype === 'CONSTR_NOTNULL') return ['not-null'];
    const checksLater = contype === 'CONSTR_CHECK' || contype === 'CONSTR_FOREIGN';
    return when(!checksLater || skip_validation !== true, 'constraint');
  }
  return ['unknown'];
}

function brokenByColumn({ typeName, constraints: nodes = [] }: ColumnDef): Rule[] {
  const constraints = nodes.map((node) => (node as { Constraint: Constraint }).Constraint);
  const has = (...types: Constraint['contype'][]) => constraints.some(({ contype }) => types.includes(contype));
  const type = typeName?.names?.map(textOf).at(-1);
  const defaults = constraints.filter(({ contype }) => contype === 'CONSTR_DEFAULT');
  const isMade = has('CONSTR_IDENTITY', 'CONSTR_GENERATED') || (type !== undefined && SERIAL_TYPES.has(type));
  return [
    ...when(has('CONSTR_NOTNULL') && defaults.length === 0 && !isMade, 'not-null'),
    ...when(isMade || !defaults.every(({ raw_expr }) => isOneValue(raw_expr)), 'rewrite'),
    ...when(has('CONSTR_CHECK', 'CONSTR_EXCLUSION', 'CONSTR_FOREIGN', 'CONSTR_PRIMARY', 'CONSTR_UNIQUE'), 'constraint'),
  ];
}

/** Whether an expression certainly has one value for all rows. */
function isOneValue(expression: Node | undefined): boolean {
  if (expression === undefined) return false;
  if ('A_Const' in expression || 'SQLValueFunction' in expression) return true;
  if ('TypeCast' in expression) return isOneValue(expression.TypeCast.arg);
  if ('A_ArrayExpr' in expression) return (expression.A_ArrayExpr.elements ?? []).every(isOneValue);
  if (!('FuncCall' in expression)) return false;
  const { funcname = [], args = [] } = expression.FuncCall;
  return args.length === 0 && STABLE_FUNCTIONS.has(funcname.map(textOf).at(-1) ?? '');
}

function onExisting(relation: RangeVar | undefined, newTables: ReadonlySet<string>, rule: Rule): Rule[] {
  return when(relation === undefined || !newTables.has(nameOf(relation)), rule);
}

function when(broken: boolean, rule: Rule): Rule[] {
  return broken ? [rule] : [];
}

/** The name of a table, with its schema if that is not the default schema. */
function nameOf({ schemaname, relname }: RangeVar = {}): string {
  return tableName([...(schemaname === undefined ? [] : [schemaname]), relname ?? '']);
}

function listedName(object: Node): string {
  return tableName('List' in object ? (object.List.items ?? []).map(textOf) : [textOf(object)]);
}

function tableName(names: readonly string[]): string {
  return (names[0] === 'public' ? names.slice(1) : names).join('.');
}

function textOf(node: Node): string {
  return 'String' in node ? (node.String.sval ?? '') : '';
}
