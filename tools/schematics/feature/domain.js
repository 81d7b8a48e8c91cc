/** What it is: plain TypeScript, on the kernel alone. */
export function domainFiles({ plural, singular, Plural, Singular, items, item, CONSTANT, code, words, manyWords }) {
  return {
    [`src/domain/${singular}.ts`]: `
import { Invalid${Singular}Error, ${Singular}ClosedError } from './${singular}.errors.js';

/** The allowed values, exactly as they appear on the wire and in the database. */
export const ${CONSTANT}_STATUSES = ['open', 'closed'] as const;

export type ${Singular}Status = (typeof ${CONSTANT}_STATUSES)[number];

/** Longest name, in Unicode code points. */
export const ${CONSTANT}_NAME_MAX_CODE_POINTS = 255;

/** Each rule answers what a value must be, to stand after the field's name in a sentence, or \`undefined\` when it holds. */
export const ${item}Rules = {
  name: (value: unknown): string | undefined => {
    const isName =
      typeof value === 'string' &&
      /\\S/u.test(value) &&
      value.length <= 2 * ${CONSTANT}_NAME_MAX_CODE_POINTS &&
      Array.from(value).length <= ${CONSTANT}_NAME_MAX_CODE_POINTS &&
      // PostgreSQL can store neither NUL nor half of a surrogate pair.
      !value.includes('\\0') &&
      value.isWellFormed();
    return isName ? undefined : \`must be a text of 1 to \${${CONSTANT}_NAME_MAX_CODE_POINTS} characters, not all of them blank\`;
  },

  status: (value: unknown): string | undefined =>
    (${CONSTANT}_STATUSES as readonly unknown[]).includes(value) ? undefined : \`must be one of \${${CONSTANT}_STATUSES.join(', ')}\`,
};

/** One that is about to be added: it has no id yet. */
export class New${Singular} {
  /** @throws Invalid${Singular}Error */
  constructor(
    readonly name: string,
    readonly status: ${Singular}Status = 'open',
  ) {
    const violation = ${item}Rules.name(name);
    if (violation !== undefined) throw new Invalid${Singular}Error(\`name \${violation}\`);
  }
}

/** What changes it gives a new object. */
export class ${Singular} extends New${Singular} {
  constructor(
    readonly id: bigint,
    name: string,
    status: ${Singular}Status,
  ) {
    super(name, status);
  }

  /** @throws ${Singular}ClosedError */
  close(): ${Singular} {
    if (this.status === 'closed') throw new ${Singular}ClosedError(this.id);
    return new ${Singular}(this.id, this.name, 'closed');
  }
}

/** What a request to add one asks for: requests with the same text ask for the same. */
export function canonicalForm({ name }: New${Singular}): string {
  return JSON.stringify(['add ${words}', name]);
}
`,
    [`src/domain/${singular}.errors.ts`]: `
/** A value breaks a rule. */
export class Invalid${Singular}Error extends Error {
  readonly kind = 'invalid';
  readonly code = 'invalid_request';
}

/** Nothing has this id. */
export class ${Singular}NotFoundError extends Error {
  readonly kind = 'not_found';
  readonly code = 'not_found';

  constructor(id: bigint) {
    super(\`There is no ${words} with the id \${id}\`);
  }
}

/** It is closed already. */
export class ${Singular}ClosedError extends Error {
  readonly kind = 'conflict';
  readonly code = '${code}_closed';

  constructor(id: bigint) {
    super(\`The ${words} \${id} is closed\`);
  }
}
`,
    [`src/domain/${singular}.repository.ts`]: `
import type { IdempotencyKey } from '@animal-store/kernel';
import type { New${Singular}, ${Singular} } from './${singular}.js';

/** What {@link ${Singular}Repository.addOnce} did. */
export interface ${Singular}AddOnceResult {
  /** As it was when it was added, whatever became of it since. */
  readonly added: ${Singular};
  /** It had been added before, by an earlier call with the same key. */
  readonly replayed: boolean;
}

/** Where they are kept. Inside a unit of work every method takes part in it. */
export abstract class ${Singular}Repository {
  /** Stores it durably under a new id. Ids become visible in ascending order. */
  abstract add(${item}: New${Singular}): Promise<${Singular}>;

  /**
   * As {@link add}, once for one key, however often it is called.
   *
   * @throws IdempotencyKeyReusedError when the key was used for another one
   */
  abstract addOnce(${item}: New${Singular}, key: IdempotencyKey): Promise<${Singular}AddOnceResult>;

  /**
   * To be changed and {@link save}d: until the end of the unit of work nobody else gets it so.
   *
   * @throws OutsideUnitOfWorkError outside of a unit of work
   */
  abstract findForUpdate(id: bigint): Promise<${Singular} | undefined>;

  /** @throws ${Singular}NotFoundError */
  abstract save(${item}: ${Singular}): Promise<void>;
}
`,
    [`src/domain/${singular}.read-model.ts`]: `
import { ReadModel } from '@animal-store/kernel';
import type { ${Singular}Status } from './${singular}.js';

/** Which ${manyWords} a page shows. */
export interface ${Singular}Filter {
  /** Left out: those of any status. */
  readonly status?: ${Singular}Status | undefined;
}

/** The ${manyWords} as JSON text, for who only passes them on. */
export abstract class ${Singular}ReadModel extends ReadModel<${Singular}Filter> {}
`,
    [`src/domain/${plural}.service.ts`]: `
import type {
  Cancellation,
  IdempotencyKey,
  PageQuery,
  Serialized,
  SerializedPage,
  UnitOfWork,
} from '@animal-store/kernel';
import { ${Singular}NotFoundError } from './${singular}.errors.js';
import type { ${Singular}Filter, ${Singular}ReadModel } from './${singular}.read-model.js';
import type { ${Singular}AddOnceResult, ${Singular}Repository } from './${singular}.repository.js';
import type { New${Singular}, ${Singular} } from './${singular}.js';

/** The use cases. */
export class ${Plural}Service {
  constructor(
    private readonly ${items}: ${Singular}Repository,
    private readonly readModel: ${Singular}ReadModel,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws IdempotencyKeyReusedError */
  async add(${item}: New${Singular}, key?: IdempotencyKey): Promise<${Singular}AddOnceResult> {
    if (key !== undefined) return await this.${items}.addOnce(${item}, key);
    return { added: await this.${items}.add(${item}), replayed: false };
  }

  /** @throws ${Singular}NotFoundError */
  async get(id: bigint, signal?: Cancellation): Promise<Serialized> {
    return found(id, await this.readModel.findById(id, signal));
  }

  /** A page in ascending order of id. */
  list(query: PageQuery & ${Singular}Filter, signal?: Cancellation): Promise<SerializedPage> {
    return this.readModel.findPage(query, signal);
  }

  /** @throws ${Singular}NotFoundError, ${Singular}ClosedError */
  close(id: bigint): Promise<${Singular}> {
    return this.unitOfWork.run(async () => {
      const closed = found(id, await this.${items}.findForUpdate(id)).close();
      await this.${items}.save(closed);
      return closed;
    });
  }
}

function found<Found>(id: bigint, one: Found | undefined): Found {
  if (one === undefined) throw new ${Singular}NotFoundError(id);
  return one;
}
`,
  };
}
