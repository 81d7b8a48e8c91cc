/** The export does not fit the database. Nothing was imported. */
export class ImportRefusedError extends Error {
  readonly kind = 'conflict';
}

/** The service is connected to the database. Nothing was imported. */
export class DatabaseInServiceError extends Error {
  readonly kind = 'unavailable';

  constructor(connections: number) {
    super(
      `The service has ${connections} connections to this database open. Stop every instance before the import: they ` +
        'would go on with keys and secrets that are not there any more.',
    );
  }
}

/** There is no database to export or copy. */
export class NoDatabaseError extends Error {
  readonly kind = 'not_found';

  constructor(folder: string) {
    super(`There is no embedded database in the folder ${folder}. DATA_DIR, or DATABASE_URL, says where the data is.`);
  }
}
