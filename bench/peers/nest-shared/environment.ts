/** The URL of the peer's database. */
export const databaseUrl: string = process.env['DATABASE_URL'] ?? '';

/** How many connections to the database the peer may open. */
export const poolSize = Number(process.env['DATABASE_POOL_SIZE'] ?? 10);
