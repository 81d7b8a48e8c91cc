import {
  createApiKey,
  responseFaults,
  describedResponse,
  nextPage,
  readError,
  schemaFaults,
  useApp,
  type OpenApiDocument,
  type Operation,
} from '@animal-store/testing';
import {
  addPet,
  createOrdersDatabase,
  close,
  orderBody,
  petStatus,
  place,
  placed,
  WITH_ORDERS,
  type OrderOnWire,
} from './support.js';

describe('orders', () => {
  const app = useApp(createOrdersDatabase, {}, WITH_ORDERS);

  describe('placeOrder', () => {
    test('stores the order, claims the pet, and answers with what is read later', async () => {
      const petId = await addPet(app);
      const body = orderBody(petId, { quantity: 10, shipDate: '2026-12-24T10:30:00.5+02:00', note: 'Räx \u{1F98A}' });
      const answer = await place(app, body);
      const text = await answer.text();
      const { id, placedAt } = JSON.parse(text) as { id: number; placedAt: string };
      expect([answer.status, answer.headers.get('location')]).toEqual([201, `/v1/store/orders/${id}`]);
      expect(JSON.parse(text)).toEqual({
        id,
        ...body,
        shipDate: '2026-12-24T08:30:00.500Z',
        status: 'placed',
        placedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.]\d{3}Z$/) as string,
      });
      expect(Math.abs(Date.now() - Date.parse(placedAt))).toBeLessThan(60_000);
      const read = await app.request(`/v1/store/orders/${id}`);
      expect([read.status, await read.text(), read.headers.get('etag')]).toEqual([
        200,
        text,
        answer.headers.get('etag'),
      ]);
      expect(await petStatus(app, petId)).toBe('pending');
    });

    test('needs a key that may write orders', async () => {
      const key = await createApiKey(app, ['orders:read']);
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(orderBody(await addPet(app)));
      expect((await app.request('/v1/store/orders', { method: 'POST', key, headers, body })).status).toBe(403);
      expect((await app.request('/v1/store/orders', { key })).status).toBe(200);
    });

    test.each(['9007199254740993', '-1'])('says that there is no pet %s', async (id) => {
      const answer = await place(app, JSON.stringify(orderBody(0)).replace('"petId":0', `"petId":${id}`));
      expect(await readError(answer)).toEqual({
        code: 'not_found',
        message: `There is no animal with the id ${id}`,
        status: 404,
      });
    });

    test.each([
      ['petId', { petId: 1.5 }],
      [
        'lines.49.quantity',
        { lines: [...Array<object>(49).fill({ sku: 'A', quantity: 1 }), { sku: 'A', quantity: 11 }] },
      ],
      ['address', { address: null }],
      ['address.country', { address: { street: '1 Harbour Road', city: 'Bristol', country: 'UK' } }],
      ['shipDate', { shipDate: '2026-02-30T10:00:00Z' }],
      ['id', { id: 7 }],
    ])('refuses what is wrong with %s, and leaves the pet alone: %j', async (path, changes) => {
      const petId = await addPet(app);
      const { code, message } = await readError(await place(app, orderBody(petId, changes)));
      expect(code).toBe('invalid_request');
      expect(message).toMatch(new RegExp(`(?:^|[ "])${path}\\b`));
      expect(await petStatus(app, petId)).toBe('available');
    });

    test.each([
      ['the longest', { note: '🦀'.repeat(2_000), lines: Array(50).fill({ sku: 's'.repeat(255), quantity: 10 }) }],
      ['the last instant', { shipDate: '9999-12-31T23:59:59.999Z' }],
    ])('takes %s, and shows it as it was sent', async (_what, changes) => {
      const answer = await place(app, orderBody(await addPet(app), changes));
      const order = (await answer.json()) as OrderOnWire;
      const shipDate = 'shipDate' in changes && { shipDate: new Date(changes.shipDate).toJSON() };
      expect(order).toMatchObject({ ...changes, ...shipDate });
      expect(await (await app.request(`/v1/store/orders/${order.id}`)).json()).toEqual(order);
    });
  });

  describe('placeOrder with an Idempotency-Key', () => {
    let number = 0;
    const newKey = () => `key-${(number += 1)}`;

    test('gives the first answer again, byte for byte, also after the order was delivered', async () => {
      const key = newKey();
      const petId = await addPet(app);
      const first = await place(app, orderBody(petId), key);
      const text = await first.text();
      const again = await place(app, orderBody(petId), key);
      expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
        null,
        'true',
      ]);
      await close(app, (JSON.parse(text) as OrderOnWire).id, 'deliver');
      const late = await place(app, orderBody(petId), key);
      for (const answer of [again, late]) {
        expect([answer.status, await answer.text()]).toEqual([201, text]);
        expect(answer.headers.get('location')).toBe(first.headers.get('location'));
      }
      expect(await petStatus(app, petId)).toBe('sold');
    });

    test('takes bodies that mean the same for the same', async () => {
      const key = newKey();
      const petId = await addPet(app);
      const body = orderBody(petId, { shipDate: '2026-12-24T10:00:00Z' });
      await place(app, body, key);
      const other = {
        shipDate: '2026-12-24T11:00:00.0+01:00',
        address: { city: 'Bristol', street: '1 Harbour Road' },
        lines: [{ quantity: 2, sku: 'LEASH-2' }],
        quantity: 1,
        petId,
      };
      const answer = await place(app, JSON.stringify(other, null, 2), key);
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    });

    test.each([{ note: 'another' }, { lines: [{ sku: 'LEASH-2', quantity: 3 }] }])(
      'refuses another body: %j',
      async (changes) => {
        const key = newKey();
        const petId = await addPet(app);
        await place(app, orderBody(petId), key);
        const answer = await place(app, orderBody(petId, changes), key);
        expect(await readError(answer)).toMatchObject({ code: 'idempotency_key_reused', status: 422 });
      },
    );

    test('remembers nothing of an order that was refused', async () => {
      const key = newKey();
      const petId = await addPet(app);
      const order = await placed(app, petId);
      expect((await place(app, orderBody(petId), key)).status).toBe(409);
      await close(app, order.id, 'cancel');
      expect((await place(app, orderBody(petId), key)).status).toBe(201);
    });

    test('shares no key with the catalogue', async () => {
      const key = newKey();
      const petId = await addPet(app);
      await place(app, orderBody(petId), key);
      const answer = await app.request('/v1/pets', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: '{"name":"Rex","categoryId":7}',
      });
      expect(await readError(answer)).toMatchObject({ code: 'idempotency_key_reused', status: 422 });
    });
  });

  describe.each([
    ['deliver', 'delivered', 'sold'],
    ['cancel', 'cancelled', 'available'],
  ] as const)('%sOrder', (verb, status, statusOfPet) => {
    test(`makes the order ${status} and the animal ${statusOfPet}`, async () => {
      const petId = await addPet(app);
      const order = await placed(app, petId);
      const answer = await close(app, order.id, verb);
      const text = await answer.text();
      expect([answer.status, JSON.parse(text)]).toEqual([200, { ...order, status }]);
      expect(await (await app.request(`/v1/store/orders/${order.id}`)).text()).toBe(text);
      expect(await petStatus(app, petId)).toBe(statusOfPet);
    });
  });

  test('of deliverOrder and cancelOrder at once, one succeeds, and the pet goes with it', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, petId } = await placed(app, await addPet(app));
      const [delivery, cancellation] = await Promise.all([close(app, id, 'deliver'), close(app, id, 'cancel')]);
      expect([delivery.status, cancellation.status].sort()).toEqual([200, 409]);
      expect(await petStatus(app, petId)).toBe(delivery.status === 200 ? 'sold' : 'available');
    }
  });

  describe('getOrder', () => {
    test.each(['9223372036854775807', 'x'])('knows no order %s', async (id) => {
      expect(await readError(await app.request(`/v1/store/orders/${id}`))).toMatchObject({ code: 'not_found' });
    });
  });
});

describe('listOrders', () => {
  const app = useApp(createOrdersDatabase, {}, WITH_ORDERS);
  /** The orders in ascending order of id: a third is delivered, a third is cancelled, a third is placed. */
  const orders: OrderOnWire[] = [];

  beforeAll(async () => {
    for (let index = 0; index < 12; index++) {
      const order = await placed(app, await addPet(app));
      const verb = (['deliver', 'cancel'] as const)[index % 3];
      orders.push(verb === undefined ? order : ((await (await close(app, order.id, verb)).json()) as OrderOnWire));
    }
  });

  async function walk(path: string): Promise<OrderOnWire[][]> {
    const pages: OrderOnWire[][] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const answer: Response = await app.request(next);
      pages.push((await answer.json()) as OrderOnWire[]);
      next = nextPage(answer);
    }
    return pages;
  }

  test('shows them page by page', async () => {
    const pages = await walk('/v1/store/orders?limit=5');
    expect([pages.map(({ length }) => length), pages.flat()]).toEqual([[5, 5, 2], orders]);
  });

  test.each(['placed', 'delivered', 'cancelled'])('shows those that are %s, page by page', async (status) => {
    const pages = await walk(`/v1/store/orders?limit=3&status=${status}`);
    expect(pages.flat()).toEqual(orders.filter((order) => order.status === status));
    expect(pages).toHaveLength(2);
  });

  test.each([
    ['limit=101', 'limit must be'],
    ['petId=1', 'unknown query parameter "petId"'],
  ])('refuses %s', async (query, message) => {
    const { code, message: told } = await readError(await app.request(`/v1/store/orders?${query}`));
    expect([code, told]).toEqual(['invalid_request', expect.stringContaining(message)]);
  });

  describe('in the OpenAPI document', () => {
    let document: OpenApiDocument;
    let described: Operation[];

    beforeAll(async () => {
      document = (await (await app.request('/openapi.json')).json()) as OpenApiDocument;
      described = Object.entries(document.paths)
        .filter(([path]) => path.startsWith('/store/orders'))
        .flatMap(([, item]) => Object.values(item));
    });

    test('is answered with the statuses, header fields and bodies that it says', async () => {
      const petId = await addPet(app);
      const order = await placed(app, petId);
      const key = { 'idempotency-key': 'described', 'content-type': 'application/json' };
      const again = { method: 'POST', headers: key, body: JSON.stringify(orderBody(await addPet(app))) };
      const answers: [string, Response][] = [
        ['placeOrder', await app.request('/v1/store/orders', again)],
        ['placeOrder', await app.request('/v1/store/orders', again)],
        ['placeOrder', await place(app, {})],
        ['placeOrder', await place(app, orderBody(petId))],
        ['placeOrder', await app.request('/v1/store/orders', { method: 'POST', body: 'x' })],
        ['listOrders', await app.request('/v1/store/orders?limit=1')],
        ['listOrders', await app.request('/v1/store/orders?limit=0')],
        ['getOrder', await app.request(`/v1/store/orders/${order.id}`)],
        ['getOrder', await app.request('/v1/store/orders/none')],
        ['getOrder', await app.request('/v1/store/orders/none', { key: null })],
        ['deliverOrder', await close(app, order.id, 'deliver')],
        ['cancelOrder', await close(app, order.id, 'cancel')],
      ];
      for (const [id, answer] of answers) {
        const operation = described.find(({ operationId }) => operationId === id)!;
        expect(responseFaults(document, operation, answer)).toEqual([]);
        const contents = Object.values(describedResponse(document, operation, answer.status).content ?? {});
        const body: unknown = contents.length === 0 ? undefined : await answer.json();
        expect(contents.flatMap(({ schema }) => schemaFaults(document, schema, body))).toEqual([]);
      }
    });
  });
});
