import type { OpenAPIObject } from '@nestjs/swagger';
import type { Schema } from './document-parts.js';
import { nameIn } from './references.js';

/** Removes the description of a member if it equals the description of the schema to which the member refers. */
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
