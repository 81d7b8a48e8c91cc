/** The part of MikroORM's metadata of a property that is used here. */
export interface ColumnMetadata {
  readonly name: string;
  readonly fieldNames: readonly string[];
  readonly columnTypes: readonly string[];
  readonly runtimeType: string;
  readonly nullable?: boolean;
  readonly enum?: boolean;
  readonly items?: readonly unknown[];
}

/** The part of MikroORM's metadata of an entity that is used here. */
export interface TableMetadata {
  readonly tableName: string;
  readonly props: readonly (ColumnMetadata & { readonly primary?: boolean; readonly persist?: boolean })[];
}
