import { defineEntity, p } from '@mikro-orm/core';

/** A secret that the instances of the service share, as hexadecimal digits. */
export class Secret {
  constructor(
    readonly name: string,
    readonly value: string,
  ) {}
}

export const SecretMapping = defineEntity({
  class: Secret,
  tableName: 'service_secrets',
  properties: {
    name: p.string().length(255).primary(),
    value: p.text(),
  },
});
