import { createHash } from 'node:crypto';
import { executedMigrations, sequencesOf, tablesOf, type CatalogueTable } from './catalogue.js';
import {
  FORMAT,
  FORMAT_VERSION,
  type ExportHeader,
  type ExportLine,
  type ExportTrailer,
  type Progress,
  type TransferSummary,
} from './export-format.js';
import { inTransaction } from './in-transaction.js';
import { identifier, nameOf, sqlName } from './named.js';
import type { Session, Text } from './session.js';

/** The size of a fetch, in characters and in rows. It limits the memory for rows of any length. */
const FETCHED_CHARACTERS = 1_000_000;
const MOST_ROWS = 2_000;
/** The size of the first fetch, when the length of rows is not known. */
const FIRST_ROWS = 50;

/** Writes bytes. It is called again after it has resolved. */
export type Write = (bytes: Buffer) => Promise<void>;

/**
 * Writes the export of a database from one snapshot. Others can read and write meanwhile.
 *
 * @throws the errors of `write` and of the database; the written part then has no trailer
 */
export async function exportDatabase(session: Session, write: Write, progress: Progress): Promise<TransferSummary> {
  return await inTransaction(session, 'isolation level repeatable read read only', async () => {
    const sha256 = createHash('sha256');
    const writeLines = async (lines: string) => {
      const bytes = Buffer.from(lines);
      sha256.update(bytes);
      await write(bytes);
    };
    const tables = await tablesOf(session);
    const header = await headerOf(session, tables);
    await writeLines(line(header));

    let rows = 0;
    for (const table of tables) {
      await writeLines(line({ table: { schema: table.schema, name: table.name } }));
      for await (const part of rowsOf(session, table)) {
        await writeLines(part.map(line).join(''));
        rows += part.length;
        progress(rows, nameOf(table));
      }
    }
    // After the rows: sequences do not belong to the snapshot, and must not be lower than the ids of the rows.
    for (const sequence of await sequencesOf(session)) await writeLines(line({ sequence }));
    await write(Buffer.from(line({ end: { rows, sha256: sha256.digest('hex') } })));
    return { header, rows };
  });
}

async function headerOf(session: Session, tables: readonly CatalogueTable[]): Promise<ExportHeader> {
  const [about] = await session.query(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), current_setting('server_version')`,
  );
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    exportedAt: String(about?.[0]),
    database: `PostgreSQL ${about?.[1]}`,
    migrations: await executedMigrations(session),
    tables: tables.map(({ schema, name, columns }) => ({
      schema,
      name,
      columns: columns.map((column) => column.name),
    })),
  };
}

/** The rows in the order of the primary key, in parts. */
async function* rowsOf(session: Session, table: CatalogueTable): AsyncGenerator<Text[][]> {
  const columns = table.columns.map(({ name }) => `${identifier('t', name)}::text`).join(', ');
  const order = table.key.map((name) => identifier('t', name)).join(', ');
  const all = `select ${columns} from ${sqlName(table)} t${order === '' ? '' : ` order by ${order}`}`;
  await session.query(`declare exported no scroll cursor for ${all}`);
  for (let size = FIRST_ROWS; ;) {
    const rows = await session.query(`fetch ${size} from exported`);
    if (rows.length > 0) yield rows;
    if (rows.length < size) break;
    const average = rows.reduce((sum, row) => sum + lengthOf(row), 0) / rows.length;
    size = Math.min(MOST_ROWS, Math.max(1, Math.floor(FETCHED_CHARACTERS / average)));
  }
  await session.query('close exported');
}

function lengthOf(row: readonly Text[]): number {
  return row.reduce((sum, value) => sum + (value?.length ?? 0) + 8, 0);
}

function line(value: ExportHeader | ExportLine | ExportTrailer | readonly Text[]): string {
  return `${JSON.stringify(value)}\n`;
}
