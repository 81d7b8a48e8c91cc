/** Where the peer finds the database. */
export const databaseUrl: string = process.env['DATABASE_URL'] ?? '';

/** How many connections to the database it may hold. */
export const poolSize = Number(process.env['DATABASE_POOL_SIZE'] ?? 10);
