import { jest } from '@jest/globals';
import { MikroORM, RequestContext } from '@mikro-orm/core';
import { NewPet, PetRepository } from '@animal-store/pets-domain';
import { describePaging, readError, useApp, useService, useTwoApps } from '@animal-store/testing';
import { Order } from '../src/order.entity.js';
import { OrdersService } from '../src/orders.service.js';
import { addPet, createOrdersDatabase, orderBody, petStatus, place, WITH_ORDERS } from './support.js';

describe('the table of the orders', () => {
  const service = useService(createOrdersDatabase, WITH_ORDERS);

  test('is the one that the mapping describes', async () => {
    expect(await service.get(MikroORM).schema.getUpdateSchemaSQL()).toBe('');
  });

  describePaging('of orders', () => {
    // As within a request: an injected entity manager needs a context.
    const inContext = <Result>(work: (orders: OrdersService) => Promise<Result>) =>
      RequestContext.create(service.get(MikroORM).em, () => work(service.get(OrdersService, { strict: false })));
    const line = { sku: 'LEASH-2', quantity: 2 };
    return Promise.resolve({
      add: async ({ filtered }) => {
        const { id: petId } = await service.get(PetRepository, { strict: false }).add(new NewPet('Rex', 7n));
        const address = { street: '1 Harbour Road', city: 'Bristol' };
        const { id } = await inContext((orders) => orders.place({ petId, quantity: 1, lines: [line], address }));
        if (!filtered) await inContext((orders) => orders.close(id, 'cancel'));
        return id;
      },
      page: ({ filtered, ...query }) =>
        inContext(async (orders) => {
          const found = await orders.list({ ...query, status: filtered === true ? 'placed' : undefined });
          return found.slice(0, query.limit).map(({ id }) => id);
        }),
      close: () => Promise.resolve(),
    });
  });

  test('has every migration', async () => {
    expect(await service.get(MikroORM).migrator.getPending()).toEqual([]);
  });
});

describe('an order and its pet', () => {
  const app = useApp(createOrdersDatabase, {}, WITH_ORDERS);

  test('are stored in one commit with the key: where what follows fails, none of them stays', async () => {
    const petId = await addPet(app);
    const orders = app.app.get(OrdersService, { strict: false });
    const original = orders.place.bind(orders);
    jest.spyOn(orders, 'place').mockImplementation(async (order) => {
      await original(order);
      throw new Error('The machine is on fire');
    });
    expect(await readError(await place(app, orderBody(petId), 'a-key'))).toMatchObject({ status: 500 });
    const count = await app.app.get(MikroORM, { strict: false }).em.fork().count(Order);
    expect([await petStatus(app, petId), count]).toEqual(['available', 0]);
    jest.restoreAllMocks();
    const answer = await place(app, orderBody(petId), 'a-key');
    expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });
});

describe('orders on two instances', () => {
  const apps = useTwoApps(createOrdersDatabase, {}, WITH_ORDERS);

  test('of 50 at once for one pet, one is placed and 49 are refused, 20 times', async () => {
    for (let round = 0; round < 20; round++) {
      const petId = await addPet(apps[0]);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => place(apps[index % 2 === 0 ? 0 : 1], orderBody(petId))),
      );
      const codes = await Promise.all(
        answers.map(async (answer) => (answer.status === 201 ? 'placed' : (await readError(answer)).code)),
      );
      expect([
        codes.filter((code) => code === 'placed').length,
        codes.filter((code) => code === 'pet_not_available').length,
      ]).toEqual([1, 49]);
    }
  });
});
