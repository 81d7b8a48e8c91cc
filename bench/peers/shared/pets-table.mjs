import process from 'node:process';
import pg from 'pg';

const COLUMNS = 'id, name, category_id as "categoryId", status';

// pg returns ids as text, because not every int64 fits a number. The benchmark's ids fit.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE ?? 10),
});

/**
 * The three queries of the peers written by hand, as named (prepared) statements. These peers share the queries, so the
 * peers differ only in the framework around the queries.
 */
export async function listPets(limit, status) {
  const query =
    status === undefined
      ? { name: 'list', text: `select ${COLUMNS} from pets order by id limit $1`, values: [limit] }
      : {
          name: 'list-by-status',
          text: `select ${COLUMNS} from pets where status = $1 order by id limit $2`,
          values: [status, limit],
        };
  return (await pool.query(query)).rows;
}

/** The pet with this id, or `undefined`. */
export async function findPet(id) {
  const query = { name: 'get', text: `select ${COLUMNS} from pets where id = $1`, values: [id] };
  return (await pool.query(query)).rows[0];
}

/** Adds a pet and returns the stored pet. */
export async function createPet({ name, categoryId, status = 'available' }) {
  const query = {
    name: 'create',
    text: `insert into pets (name, category_id, status) values ($1, $2, $3) returning ${COLUMNS}`,
    values: [name, categoryId, status],
  };
  return (await pool.query(query)).rows[0];
}
