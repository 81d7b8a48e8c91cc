import type { Type } from '@nestjs/common';
import { ApiExtension, getSchemaPath } from '@nestjs/swagger';

/** The extension with which an operation declares its list, until `describeLists` replaces it. */
export const LIST = 'x-list';

/** The list of an operation. */
export interface List {
  /** The name of the page's schema. No class represents it. */
  readonly schema: string;
  readonly many: string;
  /** A reference to the schema of one item. */
  readonly item: string;
}

export function ListedItems({ type, ...list }: Omit<List, 'item'> & { readonly type: Type }): MethodDecorator {
  return ApiExtension(LIST, { ...list, item: getSchemaPath(type) } satisfies List);
}
