/** The database does not have the schema of this version. */
export class PendingMigrationsError extends Error {
  constructor(names: readonly string[]) {
    super(`Migrations are pending: ${names.join(', ')}. Run npm run db:migrate`);
  }
}
