/** The properties of one operation, besides those of all operations of its kind. */
export interface OperationOptions {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  /** The error codes besides those of all operations of its kind. */
  readonly errors?: readonly string[];
  /** The messages of errors by code, if they differ from those of other operations of its kind. */
  readonly messages?: Readonly<Record<string, string>>;
}

export interface CreateOptions extends OperationOptions {
  /** What the operation does, at the end of a sentence: `added` by default. */
  readonly done?: string;
  /** Whether it accepts an `Idempotency-Key`. */
  readonly idempotent?: boolean;
}
