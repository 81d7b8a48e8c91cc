import type { OpenAPIObject } from '@nestjs/swagger';
import { nameIn, type Schema } from './operations.js';

/** Takes the description from members that say no more by it than the schema that they refer to. */
export function describeSchemas({ components: { schemas = {} } = {} }: OpenAPIObject): void {
  for (const schema of Object.values(schemas)) {
    for (const member of Object.values((schema as Schema).properties ?? {})) {
      const { description, allOf: [part] = [] } = member as Schema;
      const named = part !== undefined && '$ref' in part ? (schemas[nameIn(part)] as Schema | undefined) : undefined;
      if (description !== undefined && description === named?.description)
        Reflect.deleteProperty(member, 'description');
    }
  }
}
