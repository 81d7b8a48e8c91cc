import { beginIdsAt, describeRequests, readDescription, useApp } from '@animal-store/testing';
import { createOrdersDatabase, WITH_ORDERS } from './support.js';

describe('of the operations of the service with orders beside the catalogue', () => {
  const app = useApp(createOrdersDatabase, {}, WITH_ORDERS);

  beforeAll(async () => {
    await beginIdsAt(app.database.url, 2n ** 53n + 1n);
  });

  test('those of the orders are tried without being named', async () => {
    const names = (await readDescription(app)).operations.map(({ operation }) => operation.operationId);
    expect(names).toEqual(
      expect.arrayContaining(['createPet', 'listOrders', 'placeOrder', 'getOrder', 'deliverOrder', 'cancelOrder']),
    );
  });

  describeRequests(app, { valid: 100, broken: 200, hostile: { runs: 25, connections: 32 } });
});
