/**
 * Creates a valid instance from a sent value.
 *
 * @returns `undefined` if class-transformer and class-validator must create or report it
 */
export type MakeRequest = (sent: Members, about: MakeOptions) => object | undefined;

/** The state of reading one body, query or path. */
export interface MakeOptions {
  /** The values come from a query or a path, so they are texts. */
  readonly isText: boolean;
  /** The number of created instances. Beyond `MAX_INSTANCES` no more are created. */
  instances: number;
}

export type Members = Readonly<Record<string, unknown>>;
