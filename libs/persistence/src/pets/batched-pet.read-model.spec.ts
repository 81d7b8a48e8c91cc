import { Statements, type Row } from '../statements.js';
import { READ_LIMITS } from '../batching/batching-limits.js';
import { BatchedPetReadModel } from './batched-pet.read-model.js';

const TWO_ANIMALS =
  '{"id":1,"name":"A","categoryId":1,"status":"sold"},{"id":2,"name":"B","categoryId":1,"status":"sold"}';

/** A database that only knows snapshots and the text of the one page it is asked for. */
class OnePage extends Statements {
  snapshot = '1:1:';
  json = TWO_ANIMALS;
  readonly asked: (readonly unknown[])[] = [];

  override run(_statement: unknown, values: readonly unknown[]): Promise<readonly Row[]> {
    this.asked.push(values);
    const [, , , [kept], snapshot] = values as [unknown, unknown, unknown, [boolean], string | null];
    const needsText = !kept || snapshot !== this.snapshot;
    return Promise.resolve([['1', this.snapshot, needsText ? this.json : null]]);
  }
}

describe('BatchedPetReadModel', () => {
  let database: OnePage;
  let catalogue: BatchedPetReadModel;

  beforeEach(() => {
    database = new OnePage();
    catalogue = new BatchedPetReadModel(database, READ_LIMITS);
  });

  it('asks the database for every page, and is not sent again what it keeps of the same snapshot', async () => {
    const first = await catalogue.findPage({ limit: 2 });
    const second = await catalogue.findPage({ limit: 2 });
    expect(database.asked.map(([, , , kept]) => kept)).toEqual([[false], [true]]);
    expect(second).toBe(first);
  });

  it('gives the same object for a page that is the same after something else has changed', async () => {
    const first = await catalogue.findPage({ limit: 2 });
    database.snapshot = '2:2:';
    expect(await catalogue.findPage({ limit: 2 })).toBe(first);
  });

  it('gives the new page as soon as it has changed', async () => {
    await catalogue.findPage({ limit: 2 });
    database.snapshot = '2:2:';
    database.json = TWO_ANIMALS.replace('"B"', '"C"');
    expect((await catalogue.findPage({ limit: 2 })).json).toBe(`[${database.json}]`);
  });

  it('is not led astray by another snapshot that was the latest in between', async () => {
    await catalogue.findPage({ limit: 2 });
    database.snapshot = '2:2:';
    await catalogue.findPage({ limit: 1, status: 'sold' });
    database.json = TWO_ANIMALS.replace('"B"', '"C"');
    expect((await catalogue.findPage({ limit: 2 })).json).toBe(`[${database.json}]`);
  });

  it('asks for as many animals as it did before, so that the pages can be compared', async () => {
    await catalogue.findPage({ limit: 50 });
    await catalogue.findPage({ limit: 2 });
    expect(database.asked.map(([, , sizes]) => sizes)).toEqual([[51], [51]]);
  });

  it('keeps nothing of a standby, which has no snapshots', async () => {
    database.snapshot = null as unknown as string;
    await catalogue.findPage({ limit: 2 });
    database.json = '';
    expect((await catalogue.findPage({ limit: 2 })).json).toBe('[]');
    expect(database.asked.map(([, , , kept]) => kept)).toEqual([[false], [false]]);
  });
});
