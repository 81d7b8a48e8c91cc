import { BrokenExportError } from './broken-export.error.js';
import { executedMigrations, tablesOf, type CatalogueTable, type SequenceState } from './catalogue.js';
import { dropConstraints } from './constraints.js';
import type { ExportHeader, ExportRow, Progress, TransferSummary } from './export-format.js';
import type { ExportPart } from './export-reader.js';
import { checkMigrations } from './import-migrations.js';
import { inTransaction } from './in-transaction.js';
import { identifier, isSame, nameOf, sqlName } from './named.js';
import type { Session } from './session.js';
import { ImportRefusedError } from './transfer.errors.js';

/** The database into which an export is imported. */
export interface ImportTarget {
  readonly session: Session;
  /** The names of the migrations of this program. */
  availableMigrations(): Promise<readonly string[]>;
  /** Runs these migrations, or all pending migrations. */
  migrate(names?: readonly string[]): Promise<void>;
}

/**
 * Imports an export into a database in one commit. Before the import the database is migrated to the schema of the data, and after
 * it to the schema of this program.
 *
 * @param replace whether to remove existing rows in the same commit; otherwise the tables must be empty
 * @throws BrokenExportError, ImportRefusedError
 */
export async function importDatabase(
  target: ImportTarget,
  parts: AsyncGenerator<ExportPart, void>,
  replace: boolean,
  progress: Progress,
): Promise<TransferSummary> {
  const { session } = target;
  const header = await headerOf(parts);
  const executed = await executedMigrations(session);
  const missing = checkMigrations(header.migrations, executed, await target.availableMigrations());
  if (!replace) await refuseRows(session, header);
  if (missing.length > 0) await target.migrate(missing);
  const rows = await inTransaction(session, '', async () => {
    const tables = await fittingTables(session, header);
    const names = tables.map(sqlName);
    const restoreConstraints = await dropConstraints(session, names);
    if (replace && names.length > 0) await session.query(`truncate ${names.join(', ')}`);
    const count = await load(session, tables, parts, progress);
    await restoreConstraints();
    return count;
  });
  await target.migrate();
  // Otherwise the database would plan with the statistics of empty tables.
  await session.query('analyze');
  return { header, rows };
}

async function headerOf(parts: AsyncGenerator<ExportPart, void>): Promise<ExportHeader> {
  const first = await parts.next();
  if (first.done === true || !('header' in first.value)) throw new BrokenExportError('its header is missing');
  return first.value.header;
}

/** @throws ImportRefusedError if a table of the export has rows */
async function refuseRows(session: Session, header: ExportHeader): Promise<void> {
  const filled: string[] = [];
  for (const table of await tablesOf(session)) {
    if (!header.tables.some((one) => isSame(one, table))) continue;
    const [row] = await session.query(`select exists (select from ${sqlName(table)})::text`);
    if (row?.[0] === 'true') filled.push(nameOf(table));
  }
  if (filled.length === 0) return;
  throw new ImportRefusedError(
    `The database is not empty: there are rows in ${filled.join(', ')}. Import into an empty one, or add --replace to remove them.`,
  );
}

/** The tables of the export in the database. @throws ImportRefusedError if a table is missing or has other columns */
async function fittingTables(session: Session, header: ExportHeader): Promise<CatalogueTable[]> {
  const tables = await tablesOf(session);
  return header.tables.map((exported) => {
    const table = tables.find((one) => isSame(one, exported));
    if (table === undefined) throw new ImportRefusedError(`The database has no table ${nameOf(exported)}.`);
    const names = table.columns.map(({ name }) => name);
    if ([...names].sort().join('\n') !== [...exported.columns].sort().join('\n'))
      throw new ImportRefusedError(
        `The table ${nameOf(exported)} has the columns ${names.join(', ')}; in the file it has ${exported.columns.join(', ')}.`,
      );
    const columns = exported.columns.map((name) => table.columns.find((column) => column.name === name) ?? never(name));
    return { ...table, columns };
  });
}

function never(name: string): never {
  throw new Error(`There is no column ${name}`);
}

async function load(
  session: Session,
  tables: readonly CatalogueTable[],
  parts: AsyncGenerator<ExportPart, void>,
  progress: Progress,
): Promise<number> {
  let table: CatalogueTable | undefined;
  let rows = 0;
  for await (const part of parts) {
    if ('rows' in part && table !== undefined) {
      await session.query(insertionInto(table), columnsOf(part.rows, table.columns.length));
      rows += part.rows.length;
      progress(rows, nameOf(table));
    } else if ('table' in part) {
      table = tables.find((one) => isSame(one, part.table));
    } else if ('sequence' in part) {
      await setSequence(session, part.sequence);
    }
  }
  return rows;
}

/** Values are cast to types without a length. So values that are too long are refused, and not truncated. */
function insertionInto(table: CatalogueTable): string {
  const names = table.columns.map(({ name }) => identifier(name)).join(', ');
  const casts = table.columns.map(({ type }, index) => `r.v${index}::${type}`).join(', ');
  const arrays = table.columns.map((_column, index) => `$${index + 1}::text[]`).join(', ');
  const values = table.columns.map((_column, index) => `v${index}`).join(', ');
  return `insert into ${sqlName(table)} (${names}) overriding system value select ${casts} from unnest(${arrays}) as r (${values})`;
}

function columnsOf(rows: readonly ExportRow[], count: number): (string | null)[][] {
  return Array.from({ length: count }, (_, column) => rows.map((row) => row[column] ?? null));
}

async function setSequence(session: Session, { schema, name, last, called }: SequenceState): Promise<void> {
  const sequence = sqlName({ schema, name });
  const [found] = await session.query('select to_regclass($1::text)::text', [sequence]);
  if (found?.[0] == null) throw new ImportRefusedError(`The database has no sequence ${nameOf({ schema, name })}.`);
  await session.query('select setval($1::text::regclass, $2::text::bigint, $3::text::boolean)', [
    sequence,
    last,
    String(called),
  ]);
}
