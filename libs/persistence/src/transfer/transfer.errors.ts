/** The file is no export, not a whole one, or was changed. Nothing of it has been imported. */
export class BrokenExportError extends Error {
  readonly kind = 'unprocessable';

  constructor(what: string) {
    super(`The file is not a whole export: ${what}. Nothing was imported.`);
  }
}

/** What is in the file does not fit to the database as it is. Nothing has been imported. */
export class ImportRefusedError extends Error {
  readonly kind = 'conflict';
}

/** The service works on the database. Nothing has been imported. */
export class DatabaseInServiceError extends Error {
  readonly kind = 'unavailable';

  constructor(connections: number) {
    super(
      `The service has ${connections} connections to this database open. Stop every instance before the import: they ` +
        'would go on with keys and secrets that are not there any more.',
    );
  }
}

/** There is nothing to export or to copy. */
export class NoDatabaseError extends Error {
  readonly kind = 'not_found';

  constructor(folder: string) {
    super(`There is no embedded database in the folder ${folder}. DATA_DIR, or DATABASE_URL, says where the data is.`);
  }
}
