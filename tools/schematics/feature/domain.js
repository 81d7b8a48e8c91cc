/** The files of the domain: plain TypeScript that imports only the kernel. */
export function domainFiles({ plural, singular, Plural, Singular, items, item, CONSTANT, code, words, manyWords }) {
  return {
    [`src/domain/${singular}.ts`]: `
import { Invalid${Singular}Error, ${Singular}ClosedError } from './${singular}.errors.js';

/** The statuses, exactly as the API and the database write them. */
export const ${CONSTANT}_STATUSES = ['open', 'closed'] as const;

export type ${Singular}Status = (typeof ${CONSTANT}_STATUSES)[number];

/** The greatest length of a name, in Unicode code points. */
export const ${CONSTANT}_NAME_MAX_CODE_POINTS = 255;

/** Each rule returns what a value must be, to follow the field's name in a sentence, or \`undefined\` if the value is valid. */
export const ${item}Rules = {
  name: (value: unknown): string | undefined => {
    const isName =
      typeof value === 'string' &&
      /\\S/u.test(value) &&
      value.length <= 2 * ${CONSTANT}_NAME_MAX_CODE_POINTS &&
      Array.from(value).length <= ${CONSTANT}_NAME_MAX_CODE_POINTS &&
      // PostgreSQL cannot store NUL characters and halves of surrogate pairs.
      !value.includes('\\0') &&
      value.isWellFormed();
    return isName ? undefined : \`must be a text of 1 to \${${CONSTANT}_NAME_MAX_CODE_POINTS} characters, not all of them blank\`;
  },

  status: (value: unknown): string | undefined =>
    (${CONSTANT}_STATUSES as readonly unknown[]).includes(value) ? undefined : \`must be one of \${${CONSTANT}_STATUSES.join(', ')}\`,
};

/** A new ${words}, which is not stored yet and has no id. */
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

/** A stored ${words}. A change returns a new object. */
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

/** The content of a request to add one, as text. Two requests are the same request if these texts are equal. */
export function canonicalForm({ name }: New${Singular}): string {
  return JSON.stringify(['add ${words}', name]);
}
`,
    [`src/domain/${singular}.errors.ts`]: `
/** A field is invalid. */
export class Invalid${Singular}Error extends Error {
  readonly kind = 'invalid';
  readonly code = 'invalid_request';
}

/** No ${words} has this id. */
export class ${Singular}NotFoundError extends Error {
  readonly kind = 'not_found';
  readonly code = 'not_found';

  constructor(id: bigint) {
    super(\`There is no ${words} with the id \${id}\`);
  }
}

/** The ${words} is already closed. */
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

/** The result of {@link ${Singular}Repository.addOnce}. */
export interface ${Singular}AddOnceResult {
  /** The ${words} as it was added, without later changes. */
  readonly added: ${Singular};
  /** Whether an earlier call with the same key added it. */
  readonly replayed: boolean;
}

/** The store of the ${manyWords}. Inside a unit of work every method takes part in it. */
export abstract class ${Singular}Repository {
  /** Stores the ${words} durably under a new id. Ids become visible in ascending order. */
  abstract add(${item}: New${Singular}): Promise<${Singular}>;

  /**
   * As {@link add}, but all calls with one key add one ${words}.
   *
   * @throws IdempotencyKeyReusedError if the key was used for another ${words}
   */
  abstract addOnce(${item}: New${Singular}, key: IdempotencyKey): Promise<${Singular}AddOnceResult>;

  /**
   * Finds and locks the ${words} until the end of the unit of work, so that it can be changed and {@link save}d.
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

/** Which ${manyWords} a page contains. */
export interface ${Singular}Filter {
  /** Without it, ${manyWords} of every status. */
  readonly status?: ${Singular}Status | undefined;
}

/** Reads the ${manyWords} as JSON text. */
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
