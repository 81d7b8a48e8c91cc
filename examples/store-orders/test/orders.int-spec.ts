import { jest } from '@jest/globals';
import { MikroORM } from '@mikro-orm/core';
import { readError, useApp, useService, useTwoApps } from '@animal-store/testing';
import { OrderReadModel, OrderRepository } from '../src/domain/order.repository.js';
import { addPet, createOrdersDatabase, orderBody, petStatus, place, WITH_ORDERS } from './support.js';

describe('the schema of the orders', () => {
  const service = useService(createOrdersDatabase, WITH_ORDERS);

  test('is the one that the mappings describe', async () => {
    expect(await service.get(MikroORM).schema.getUpdateSchemaSQL()).toBe('');
  });

  test('has every migration', async () => {
    expect(await service.get(MikroORM).migrator.getPending()).toEqual([]);
  });
});

describe('an order and its pet', () => {
  const app = useApp(createOrdersDatabase, {}, WITH_ORDERS);

  function get<Token>(token: abstract new (...args: never[]) => Token): Token {
    return app.app.get<Token>(token, { strict: false });
  }

  async function orderCount(): Promise<number> {
    return (JSON.parse((await get(OrderReadModel).findPage({ limit: 100 })).text) as unknown[]).length;
  }

  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('are stored in one commit: where the order cannot be stored, the pet stays available', async () => {
    const petId = await addPet(app);
    const before = await orderCount();
    jest.spyOn(get(OrderRepository), 'add').mockRejectedValue(new Error('The disk is full'));
    expect(await readError(await place(app, orderBody(petId)))).toMatchObject({ status: 500 });
    expect([await petStatus(app, petId), await orderCount()]).toEqual(['available', before]);
  });

  test('are stored in one commit: where the key cannot be kept, neither stays', async () => {
    const petId = await addPet(app);
    const before = await orderCount();
    const repository = get(OrderRepository);
    const original = repository.add.bind(repository);
    jest.spyOn(repository, 'add').mockImplementation(async (order) => {
      await original(order);
      throw new Error('The machine is on fire');
    });
    expect((await place(app, orderBody(petId), 'a-key')).status).toBe(500);
    expect([await petStatus(app, petId), await orderCount()]).toEqual(['available', before]);
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
