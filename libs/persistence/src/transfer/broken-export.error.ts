/** The file is no export, is not complete, or was changed. Nothing was imported. */
export class BrokenExportError extends Error {
  readonly kind = 'unprocessable';

  constructor(what: string) {
    super(`The file is not a whole export: ${what}. Nothing was imported.`);
  }
}
