/** One test file of each kind: the domain alone, the ports on every database, the operations over HTTP. */
export function testFiles({ plural, singular, Singular, items, item, CONSTANT, code, words, manyWords }) {
  return {
    [`test/${singular}.spec.ts`]: `
import { ${CONSTANT}_NAME_MAX_CODE_POINTS, New${Singular}, ${Singular} } from '../src/domain/${singular}.js';
import { Invalid${Singular}Error, ${Singular}ClosedError } from '../src/domain/${singular}.errors.js';

describe('a new ${words}', () => {
  test('is open', () => {
    expect(new New${Singular}('First')).toMatchObject({ name: 'First', status: 'open' });
  });

  test.each(['', ' ', 'a\\0', '\\ud800', 'a'.repeat(${CONSTANT}_NAME_MAX_CODE_POINTS + 1)])('is refused with the name %j', (name) => {
    expect(() => new New${Singular}(name)).toThrow(Invalid${Singular}Error);
  });
});

describe('closing', () => {
  test('gives another object, which is closed', () => {
    const open = new ${Singular}(1n, 'First', 'open');
    expect(open.close()).toEqual(new ${Singular}(1n, 'First', 'closed'));
    expect(open.status).toBe('open');
  });

  test('is refused the second time', () => {
    expect(() => new ${Singular}(1n, 'First', 'closed').close()).toThrow(${Singular}ClosedError);
  });
});
`,
    [`test/${singular}-repository.int-spec.ts`]: `
import { UnitOfWork } from '@animal-store/kernel';
import {
  DATABASES,
  describeIdempotency,
  describeReadModel,
  idsOf,
  openService,
  useService,
} from '@animal-store/testing';
import { New${Singular}, ${Singular} } from '../src/domain/${singular}.js';
import { ${Singular}NotFoundError } from '../src/domain/${singular}.errors.js';
import { ${Singular}ReadModel, type ${Singular}Filter } from '../src/domain/${singular}.read-model.js';
import { ${Singular}Repository } from '../src/domain/${singular}.repository.js';

describe.each(DATABASES)('the contracts of the base on $name', ({ create }) => {
  async function open() {
    const database = await create();
    const service = await openService(database);
    return {
      ${items}: service.get(${Singular}Repository),
      readModel: service.get(${Singular}ReadModel),
      close: async () => {
        await service.close();
        await database.remove();
      },
    };
  }

  describeReadModel<${Singular}Filter>('of ${manyWords}', async () => {
    const { ${items}, readModel, close } = await open();
    const add = async ({ filtered }: { filtered: boolean }) =>
      (await ${items}.add(new New${Singular}('First', filtered ? 'closed' : 'open'))).id;
    return { readModel, filter: { status: 'closed' }, add, close };
  });

  describeIdempotency('of adding ${manyWords}', async () => {
    const { ${items}, readModel, close } = await open();
    return {
      once: async (request, key) => {
        const { added, replayed } = await ${items}.addOnce(new New${Singular}(String(request)), key);
        return { id: added.id, replayed };
      },
      make: async () => (await ${items}.add(new New${Singular}('First'))).id,
      after: async (afterId) => idsOf((await readModel.findPage({ limit: 5_000, afterId })).text),
      close,
    };
  });
});

describe.each(DATABASES)('the repository on $name', ({ create }) => {
  const service = useService(create);
  let ${items}: ${Singular}Repository;
  let unitOfWork: UnitOfWork;

  beforeAll(() => {
    ${items} = service.get(${Singular}Repository);
    unitOfWork = service.get(UnitOfWork);
  });

  async function shown(id: bigint): Promise<unknown> {
    const found = await service.get(${Singular}ReadModel).findById(id);
    return found === undefined ? undefined : JSON.parse(found.text);
  }

  test('keeps what is added', async () => {
    const added = await ${items}.add(new New${Singular}('First'));
    expect(await shown(added.id)).toEqual({ id: Number(added.id), name: 'First', status: 'open' });
  });

  test('changes one in a unit of work', async () => {
    const { id } = await ${items}.add(new New${Singular}('First'));
    await unitOfWork.run(async () => {
      const ${item} = await ${items}.findForUpdate(id);
      await ${items}.save(${item}!.close());
    });
    expect(await shown(id)).toMatchObject({ status: 'closed' });
  });

  test('keeps nothing of a unit of work that fails', async () => {
    const ids: bigint[] = [];
    const work = unitOfWork.run(async () => {
      ids.push((await ${items}.add(new New${Singular}('First'))).id);
      throw new Error('Not today');
    });
    await expect(work).rejects.toThrow('Not today');
    expect(await shown(ids[0]!)).toBeUndefined();
  });

  test('saves nothing that was not added', async () => {
    await expect(${items}.save(new ${Singular}(999_999n, 'First', 'open'))).rejects.toThrow(${Singular}NotFoundError);
  });
});
`,
    [`test/${plural}.e2e-spec.ts`]: `
import { randomUUID } from 'node:crypto';
import { DATABASES, nextPage, readError, useApp } from '@animal-store/testing';

interface Shown {
  readonly id: number;
  readonly name: string;
  readonly status: string;
}

describe.each(DATABASES)('/v1/${plural} on $name', ({ create }) => {
  const app = useApp(create);

  function post(path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> {
    return app.request(path, {
      method: 'POST',
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  async function add(name: string): Promise<Shown> {
    return (await (await post('/v1/${plural}', { name })).json()) as Shown;
  }

  test('adds one, and gives it at its address', async () => {
    const answer = await post('/v1/${plural}', { name: 'First' });
    const added = (await answer.json()) as Shown;
    expect([answer.status, answer.headers.get('location')]).toEqual([201, \`/v1/${plural}/\${added.id}\`]);
    expect(added).toEqual({ id: added.id, name: 'First', status: 'open' });
    expect(await (await app.request(\`/v1/${plural}/\${added.id}\`)).json()).toEqual(added);
  });

  test('adds once under one key, and gives the first answer again', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const [first, again] = [
      await post('/v1/${plural}', { name: 'First' }, headers),
      await post('/v1/${plural}', { name: 'First' }, headers),
    ];
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.text()).toBe(await first.text());
    expect((await post('/v1/${plural}', { name: 'Second' }, headers)).status).toBe(422);
  });

  test.each([[{}], [{ name: '' }], [{ name: 5 }], [{ name: 'First', status: 'closed' }]])('refuses %j', async (body) => {
    expect(await readError(await post('/v1/${plural}', body))).toMatchObject({ code: 'invalid_request', status: 400 });
  });

  test('lists them page by page, all or those of a status', async () => {
    const closed = await add('Closed');
    await post(\`/v1/${plural}/\${closed.id}/close\`);
    await add('Open');
    for (const [query, isShown] of [
      ['limit=1', () => true],
      ['limit=1&status=closed', ({ status }: Shown) => status === 'closed'],
    ] as const) {
      const all: Shown[] = [];
      for (let page: string | undefined = \`/v1/${plural}?\${query}\`; page !== undefined;) {
        const answer: Response = await app.request(page);
        all.push(...((await answer.json()) as Shown[]));
        page = nextPage(answer);
      }
      expect(all.some(({ id }) => id === closed.id)).toBe(true);
      expect(all).toEqual(all.filter(isShown).toSorted((one, other) => one.id - other.id));
    }
  });

  test('closes one, once', async () => {
    const { id } = await add('First');
    const [first, again] = [await post(\`/v1/${plural}/\${id}/close\`), await post(\`/v1/${plural}/\${id}/close\`)];
    expect([first.status, await first.json()]).toEqual([200, { id, name: 'First', status: 'closed' }]);
    expect(await readError(again)).toMatchObject({ code: '${code}_closed', status: 409 });
  });

  test.each(['0', 'first', '9223372036854775808'])('knows nothing with the id %s', async (id) => {
    expect(await readError(await app.request(\`/v1/${plural}/\${id}\`))).toMatchObject({ code: 'not_found' });
    expect(await readError(await post(\`/v1/${plural}/\${id}/close\`))).toMatchObject({ code: 'not_found' });
  });

  test('is closed to who has no key', async () => {
    expect((await app.request('/v1/${plural}', { key: null })).status).toBe(401);
  });
});
`,
  };
}
