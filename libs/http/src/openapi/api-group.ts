import { applyDecorators, SetMetadata, type INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ApiTags, type OpenAPIObject } from '@nestjs/swagger';

const GROUP = 'animal-store:api-group';

/** A group of operations in the OpenAPI document, which calls a group a tag. */
export interface OperationGroup {
  readonly name: string;
  readonly description?: string;
}

/** Puts the operations of a controller into a group, and describes the group. `ApiTags` only does the first. */
export function ApiGroup(name: string, description: string): ClassDecorator {
  return applyDecorators(ApiTags(name), SetMetadata(GROUP, { name, description } satisfies OperationGroup));
}

/**
 * The groups of the operations of a document, in the order of the operations, followed by planned groups.
 *
 * @param toCome groups that are listed as long as they have no operation
 */
export function groupsOf(
  app: INestApplication,
  { paths }: OpenAPIObject,
  toCome: readonly OperationGroup[] = [],
): OperationGroup[] {
  const described = new Map(describedGroups(app).map((group) => [group.name, group]));
  const used = new Set(
    Object.values(paths)
      .flatMap((item) => [item.get, item.post, item.put, item.patch, item.delete, item.head, item.options])
      .flatMap((operation) => operation?.tags ?? []),
  );
  const groups = [...used].map((name) => described.get(name) ?? { name });
  return [...groups, ...toCome.filter(({ name }) => !used.has(name))];
}

function describedGroups(app: INestApplication): OperationGroup[] {
  return [...app.get(ModulesContainer, { strict: false }).values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .map(({ metatype }) => metatype && (Reflect.getMetadata(GROUP, metatype) as OperationGroup | undefined))
    .filter((group) => group != null);
}
