import { rootCauseMessage } from '../errors/root-cause-message.js';

/** The folder cannot be used for the embedded database. */
export class DataFolderError extends Error {
  constructor(folder: string, cause: unknown) {
    super(
      `The folder ${folder} cannot hold the embedded database: ${rootCauseMessage(cause)}. Choose another with DATA_DIR, or let it be written to.`,
      { cause },
    );
  }
}

/** The files in the folder of the embedded database are damaged, or are no database. */
export class BrokenDataError extends Error {
  readonly kind = 'unprocessable';

  constructor(folder: string, cause: unknown) {
    super(
      `The embedded database in ${folder} cannot be opened: its files are damaged, or another version made them (${rootCauseMessage(cause)}). ` +
        'Put a copy in their place, or move the folder away to begin with an empty one, or choose another with DATA_DIR.',
      { cause },
    );
  }
}
