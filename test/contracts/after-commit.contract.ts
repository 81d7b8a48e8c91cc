/* eslint-disable jest/no-export -- the contract of a port: every adapter has a file that runs it */
import type { UnitOfWork } from '@animal-store/kernel';
import { NewPet, type PetRepository } from '@animal-store/pets-domain';

/** One adapter, and a repository that takes part in its units. */
export interface OpenUnits {
  readonly units: UnitOfWork;
  readonly repository: PetRepository;
  close(): Promise<void>;
}

const NO = new Error('no');

/** The contract of `UnitOfWork.afterCommit` of every adapter. */
export function describeAfterCommit(name: string, open: () => Promise<OpenUnits>): void {
  describe(`work after the commit ${name}`, () => {
    let opened: OpenUnits;
    let done: string[];

    beforeAll(async () => {
      opened = await open();
    });

    beforeEach(() => {
      done = [];
    });

    afterAll(() => opened.close());

    function later(what: string): void {
      opened.units.afterCommit(() => void done.push(what));
    }

    test('runs once, in its order, before the unit ends', async () => {
      const result = await opened.units.run(() => {
        later('one');
        later('two');
        done.push('work');
        return Promise.resolve(7);
      });
      expect([result, done]).toEqual([7, ['work', 'one', 'two']]);
    });

    test('sees what was committed, and may begin units of its own', async () => {
      const names: (string | undefined)[] = [];
      await opened.units.run(async () => {
        const { id } = await opened.repository.add(new NewPet('Rex', 7n));
        opened.units.afterCommit(async () => {
          names.push((await opened.repository.findById(id))?.name);
          const found = await opened.units.run(() => opened.repository.findForUpdate(id));
          names.push(found?.name);
        });
      });
      expect(names).toEqual(['Rex', 'Rex']);
    });

    test('does not run if the unit was rolled back', async () => {
      const failing = opened.units.run(() => {
        later('one');
        return Promise.reject(NO);
      });
      await expect(failing).rejects.toBe(NO);
      await opened.units.run(() => Promise.resolve());
      expect(done).toEqual([]);
    });

    test('runs after the outer unit, if there is one', async () => {
      await opened.units.run(async () => {
        await opened.units.run(() => {
          later('inner');
          return Promise.resolve();
        });
        done.push('outer');
      });
      expect(done).toEqual(['outer', 'inner']);
    });

    test('changes no result by its errors, and holds up no other work', async () => {
      const result = await opened.units.run(() => {
        opened.units.afterCommit(() => Promise.reject(NO));
        opened.units.afterCommit(() => {
          throw NO;
        });
        later('two');
        return Promise.resolve(7);
      });
      expect([result, done]).toEqual([7, ['two']]);
    });

    test('runs at once outside of a unit', () => {
      later('one');
      expect(done).toEqual(['one']);
    });
  });
}
