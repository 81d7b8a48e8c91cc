import { NewPet, type PetStatus } from '@animal-store/pets-domain';
import { InMemoryPetRepository, InMemoryUnitOfWork } from '@animal-store/testing';
import { NewOrder } from '../src/domain/order.js';
import { OrdersService } from '../src/domain/orders.service.js';
import { InMemoryOrderRepository } from './in-memory-order.repository.js';

function orderOf(petId: bigint): NewOrder {
  return new NewOrder(petId, 1, [{ sku: 'LEASH-2', quantity: 1 }], { street: '1 Harbour Road', city: 'Bristol' });
}

let pets: InMemoryPetRepository;
let orders: InMemoryOrderRepository;
let service: OrdersService;

beforeEach(() => {
  const units = new InMemoryUnitOfWork();
  pets = new InMemoryPetRepository(units);
  orders = new InMemoryOrderRepository(units);
  service = new OrdersService(units, orders, pets);
});

async function addPet(status: PetStatus = 'available'): Promise<bigint> {
  const { id } = await pets.add(new NewPet('Rex', 7n, status));
  return id;
}

async function statusOf(petId: bigint): Promise<PetStatus | undefined> {
  return (await pets.findById(petId))?.status;
}

describe('placing an order', () => {
  test('claims the pet', async () => {
    const petId = await addPet();
    const order = await service.place(orderOf(petId));
    expect(order).toMatchObject({ petId, status: 'placed' });
    expect([await statusOf(petId), orders.all]).toEqual(['pending', [order]]);
  });

  test('fails when no animal has the id', async () => {
    await expect(service.place(orderOf(404n))).rejects.toMatchObject({ kind: 'not_found', code: 'not_found' });
    expect(orders.all).toEqual([]);
  });

  test.each(['pending', 'sold'] as const)('fails when the pet is %s', async (status) => {
    const petId = await addPet(status);
    await expect(service.place(orderOf(petId))).rejects.toMatchObject({ kind: 'conflict', code: 'pet_not_available' });
    expect([await statusOf(petId), orders.all]).toEqual([status, []]);
  });

  test('leaves the pet alone when the order cannot be stored', async () => {
    const petId = await addPet();
    orders.add = () => Promise.reject(new Error('The disk is full'));
    await expect(service.place(orderOf(petId))).rejects.toThrow('The disk is full');
    expect(await statusOf(petId)).toBe('available');
  });

  test('succeeds for one of those who want the same pet at once', async () => {
    const petId = await addPet();
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => service.place(orderOf(petId))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(orders.all).toHaveLength(1);
  });
});

describe('closing an order', () => {
  test.each([
    ['deliver', 'delivered', 'sold'],
    ['cancel', 'cancelled', 'available'],
  ] as const)('with %s makes it %s, and the pet %s', async (transition, status, petStatus) => {
    const petId = await addPet();
    const { id } = await service.place(orderOf(petId));
    expect(await service.close(id, transition)).toMatchObject({ id, status });
    expect([await statusOf(petId), orders.all[0]?.status]).toEqual([petStatus, status]);
  });

  test('fails when no order has the id', async () => {
    await expect(service.close(404n, 'deliver')).rejects.toMatchObject({ kind: 'not_found', code: 'not_found' });
  });

  test('fails the second time, and changes nothing then', async () => {
    const petId = await addPet();
    const { id } = await service.place(orderOf(petId));
    await service.close(id, 'cancel');
    await expect(service.close(id, 'deliver')).rejects.toMatchObject({ kind: 'conflict', code: 'order_closed' });
    expect([await statusOf(petId), orders.all[0]?.status]).toEqual(['available', 'cancelled']);
  });

  test('leaves the pet alone when the order cannot be stored', async () => {
    const petId = await addPet();
    const { id } = await service.place(orderOf(petId));
    orders.save = () => Promise.reject(new Error('The disk is full'));
    await expect(service.close(id, 'deliver')).rejects.toThrow('The disk is full');
    expect(await statusOf(petId)).toBe('pending');
  });
});
