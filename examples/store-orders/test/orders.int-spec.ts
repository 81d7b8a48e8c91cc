import { jest } from '@jest/globals';
import { MikroORM } from '@mikro-orm/core';
import { UnitOfWork } from '@animal-store/kernel';
import { readError, useApp, useService, useTwoApps } from '@animal-store/testing';
import { NewOrder } from '../src/domain/order.js';
import { OrderReadModel, OrderRepository } from '../src/domain/order.repository.js';
import { OrdersService } from '../src/domain/orders.service.js';
import {
  addPet,
  close,
  createOrdersDatabase,
  DATABASES,
  orderBody,
  petStatus,
  place,
  placed,
  WITH_ORDERS,
  type OrderOnWire,
} from './support.js';

describe.each(DATABASES)('the schema of the orders on $name', ({ create }) => {
  const service = useService(create, WITH_ORDERS);

  test('is the one that the mappings describe', async () => {
    expect(await service.get(MikroORM).schema.getUpdateSchemaSQL()).toBe('');
  });

  test('has every migration', async () => {
    expect(await service.get(MikroORM).migrator.getPending()).toEqual([]);
  });
});

describe.each(DATABASES)('an order and its pet on $name', ({ create }) => {
  const app = useApp(create, {}, WITH_ORDERS);

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

  test('belong to the unit of work around them', async () => {
    const petId = await addPet(app);
    const before = await orderCount();
    const order = new NewOrder(BigInt(petId), 1, [{ sku: 'A', quantity: 1 }], { street: 'A', city: 'B' });
    const failing = get(UnitOfWork).run(async () => {
      await get(OrdersService).place(order);
      throw new Error('Something else went wrong');
    });
    await expect(failing).rejects.toThrow('Something else went wrong');
    expect([await petStatus(app, petId), await orderCount()]).toEqual(['available', before]);
  });

  test('are closed in one commit', async () => {
    const { id, petId } = await placed(app, await addPet(app));
    jest.spyOn(get(OrderRepository), 'save').mockRejectedValue(new Error('The disk is full'));
    expect((await close(app, id, 'deliver')).status).toBe(500);
    expect(await petStatus(app, petId)).toBe('pending');
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

  test('are in the catalogue of both at once, as soon as they are answered', async () => {
    const available = async (index: 0 | 1, petId: number) => {
      const pets = (await (await apps[index].request('/v1/pets?status=available&limit=100')).json()) as {
        id: number;
      }[];
      return pets.some(({ id }) => id === petId);
    };
    for (let round = 0; round < 20; round++) {
      const petId = await addPet(apps[0]);
      expect(await Promise.all([available(0, petId), available(1, petId)])).toEqual([true, true]);
      const order = (await (await place(apps[0], orderBody(petId))).json()) as OrderOnWire;
      expect(await Promise.all([available(0, petId), available(1, petId)])).toEqual([false, false]);
      await close(apps[1], order.id, 'cancel');
      expect(await Promise.all([available(0, petId), available(1, petId)])).toEqual([true, true]);
      await placed(apps[1], petId);
    }
  });
});
