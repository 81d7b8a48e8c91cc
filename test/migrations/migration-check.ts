import { parseSync, type Node } from 'libpg-query';
// Node runs this file without a build, so the imports name the TypeScript files.
import { brokenRules, RULES, type Circumstances, type Rule } from './migration-rules.ts';

/** The statements of one migration, as its `up()` adds them. */
export interface MigrationStatements {
  /** One text for each `addSql`, in order. */
  readonly texts: readonly string[];
  readonly isTransactional: boolean;
}

/** Something with which the previous version could not run, or whose effect cannot be determined. */
export interface Finding {
  readonly rule: Rule | 'exemption';
  /** The statement on one line. */
  readonly statement: string;
  readonly reason: string;
}

/** Example: `-- exempt drop: 1.1 no longer reads it`. */
const EXEMPTION = /--[ \t]*exempt[ \t]+([\w-]*)[ \t]*:?[ \t]*(.*)$/gm;

/** A reason must be a sentence, not a word. */
const REASON_MIN_WORDS = 3;

const SHOWN_CHARACTERS = 160;

/**
 * Returns what the previous version could not run with in a migration, without what an exemption in the text of a statement
 * excuses: `-- exempt <rule>: <reason>`. An exemption that is not needed, or that has no reason, is a finding itself.
 */
export function checkMigration({ texts, isTransactional }: MigrationStatements): Finding[] {
  const statements = texts.map((text) => ({ text, parsed: parseSql(text) }));
  const madeIndexes = new Set(
    statements.flatMap(({ parsed }) => (typeof parsed === 'string' ? [] : parsed.flatMap(indexMadeBy))),
  );
  const ofMigration = {
    newTables: new Set<string>(),
    madeIndexes,
    droppedIndexes: new Set<string>(),
    lockedTables: new Set<string>(),
  };
  return statements.flatMap(({ text, parsed }) => {
    const statement = inOneLine(text);
    if (typeof parsed === 'string') return [{ rule: 'unknown', statement, reason: parsed }];
    // Several statements in one text run in one transaction.
    const circumstances = { ...ofMigration, inTransaction: isTransactional || parsed.length > 1 };
    return findingsOf(text, statement, parsed, circumstances);
  });
}

function indexMadeBy(statement: Node): string[] {
  return 'IndexStmt' in statement && statement.IndexStmt.idxname !== undefined ? [statement.IndexStmt.idxname] : [];
}

function findingsOf(text: string, statement: string, parsed: readonly Node[], circumstances: Circumstances): Finding[] {
  const broken = new Set(parsed.flatMap((node) => brokenRules(node, circumstances)));
  const exemptions = [...text.matchAll(EXEMPTION)].map(([, rule = '', reason = '']) => ({ rule, reason }));
  const excused = new Set(exemptions.map(({ rule }) => rule));
  return [
    ...[...broken].filter((rule) => !excused.has(rule)).map((rule) => ({ rule, statement, reason: RULES[rule] })),
    ...exemptions.flatMap(({ rule, reason }): Finding[] => {
      if (!(broken as ReadonlySet<string>).has(rule))
        return [{ rule: 'exemption', statement, reason: `It excuses "${rule}", which the statement does not break` }];
      if (reason.split(/\s+/).length < REASON_MIN_WORDS)
        return [{ rule: 'exemption', statement, reason: `It excuses "${rule}" without a reason in a sentence` }];
      return [];
    }),
  ];
}

/** @returns the statements of the text, or the reason why the text is not SQL */
function parseSql(text: string): Node[] | string {
  try {
    return (parseSync(text).stmts ?? []).flatMap(({ stmt }) => (stmt === undefined ? [] : [stmt]));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function inOneLine(text: string): string {
  const line = text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}
